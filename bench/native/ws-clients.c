/* Websocket clients for the benches: many connections in one process, one thread, epoll.
 *
 *   ws-clients PORT PATH SERVER_PID WARM_S MEASURE_S NAME,COUNT,BYTES_PER_S,ACK...
 *
 * Each class of clients reads as fast as it can (BYTES_PER_S 0), at a given rate, or never (-1), answers pings as
 * RFC 6455 asks and, with ACK 1, acknowledges each frame by {"type":"ack","seq":n}. A binary message ends with
 * [u64 CLOCK_MONOTONIC ns at publishing][u64 sequence number]; its age is taken when its last byte has been read.
 * Prints "measuring" when the window begins and one line of JSON when it ends. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define READ_BYTES (256 * 1024)
#define TRAILER 16
/* ns between the reads of rate-limited clients */
#define SLOW_TICK 2000000ull

enum { TEXT = 1, BINARY = 2, CLOSE = 8, PING = 9, PONG = 10 };

typedef struct {
  const char *name;
  int count, ack;
  double rate; /* bytes/s; 0 unlimited, -1 never reads */
  uint32_t *ages_us;
  size_t frames, capacity;
  uint64_t bytes, missed;
  int closed;
  uint64_t closed_ns;
} Class;

typedef struct {
  int fd;
  Class *class;
  uint8_t head[14];
  int head_have, head_need, opcode;
  uint64_t left;      /* payload bytes still to come */
  uint8_t tail[125];  /* last bytes of a message, or a control frame's payload */
  int tail_have;
  uint64_t last_seq;
  double credit;      /* bytes that a rate-limited client may still read */
  uint64_t credit_ns;
} Client;

static uint8_t buffer[READ_BYTES];
static uint64_t window_from = UINT64_MAX, window_to = UINT64_MAX;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void die(const char *what) {
  fprintf(stderr, "ws-clients: %s: %s\n", what, strerror(errno));
  exit(1);
}

/* CPU time of all threads of a process in ns; by the scheduler's own account where the kernel shows it. */
static uint64_t process_cpu_ns(int pid) {
  char path[300];
  snprintf(path, sizeof path, "/proc/%d/task", pid);
  DIR *tasks = opendir(path);
  uint64_t sum = 0;
  if (!tasks) return 0;
  for (struct dirent *e; (e = readdir(tasks));) {
    unsigned long long ns = 0;
    if (e->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/schedstat", pid, e->d_name);
    FILE *f = fopen(path, "r");
    if (!f) continue;
    if (fscanf(f, "%llu", &ns) == 1) sum += ns;
    fclose(f);
  }
  closedir(tasks);
  if (sum > 0) return sum;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  FILE *f = fopen(path, "r");
  unsigned long user = 0, kernel = 0;
  if (!f) return 0;
  if (fscanf(f, "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &kernel) != 2) user = 0;
  fclose(f);
  return (uint64_t)(user + kernel) * (1000000000ull / (uint64_t)sysconf(_SC_CLK_TCK));
}

static void lost(Client *c) {
  close(c->fd);
  c->fd = -1;
  c->class->closed++;
  c->class->closed_ns = now_ns();
}

/* A masked frame, as clients must send; the mask is zero, which leaves the payload as it is. */
static void send_small(Client *c, int opcode, const void *payload, int length) {
  uint8_t frame[6 + 125] = {(uint8_t)(0x80 | opcode), (uint8_t)(0x80 | length)};
  memcpy(frame + 6, payload, (size_t)length);
  if (send(c->fd, frame, (size_t)(6 + length), MSG_NOSIGNAL | MSG_DONTWAIT) != 6 + length) lost(c);
}

static void frame_done(Client *c) {
  Class *k = c->class;
  uint64_t stamp, seq, now = now_ns();
  if (c->tail_have < TRAILER) return;
  memcpy(&stamp, c->tail + c->tail_have - 16, 8);
  memcpy(&seq, c->tail + c->tail_have - 8, 8);
  if (now >= window_from && now < window_to) {
    if (k->frames == k->capacity) {
      k->capacity = k->capacity ? 2 * k->capacity : 4096;
      k->ages_us = realloc(k->ages_us, k->capacity * sizeof *k->ages_us);
      if (!k->ages_us) die("realloc");
    }
    k->ages_us[k->frames++] = now > stamp ? (uint32_t)((now - stamp) / 1000) : 0;
    if (c->last_seq && seq > c->last_seq + 1) k->missed += seq - c->last_seq - 1;
  }
  c->last_seq = seq;
  if (k->ack) {
    char text[64];
    int length = snprintf(text, sizeof text, "{\"type\":\"ack\",\"seq\":%llu}", (unsigned long long)seq);
    send_small(c, TEXT, text, length);
  }
}

static void message_end(Client *c) {
  if (c->opcode == BINARY) frame_done(c);
  else if (c->opcode == PING) send_small(c, PONG, c->tail, c->tail_have);
  else if (c->opcode == CLOSE) lost(c);
  c->head_have = 0;
  c->head_need = 2;
}

static int begin_payload(Client *c) {
  int length = c->head[1] & 127;
  c->opcode = c->head[0] & 15;
  c->tail_have = 0;
  c->left = (uint64_t)length;
  if (length < 126) return 1;
  int extra = length == 126 ? 2 : 8;
  if (c->head_need == 2) {
    c->head_need = 2 + extra;
    return 0;
  }
  c->left = 0;
  for (int i = 0; i < extra; i++) c->left = c->left << 8 | c->head[2 + i];
  return 1;
}

/* Keeps the last TRAILER bytes of a data message, and the whole payload of a control frame. */
static void keep_tail(Client *c, const uint8_t *data, size_t length) {
  size_t keep = c->opcode >= CLOSE ? sizeof c->tail : TRAILER;
  if (length >= keep) {
    memcpy(c->tail, data + length - keep, keep);
    c->tail_have = (int)keep;
    return;
  }
  size_t old = (size_t)c->tail_have;
  if (old + length > keep) {
    memmove(c->tail, c->tail + (old + length - keep), keep - length);
    old = keep - length;
  }
  memcpy(c->tail + old, data, length);
  c->tail_have = (int)(old + length);
}

static void parse(Client *c, const uint8_t *data, size_t length) {
  while (c->fd >= 0 && length > 0) {
    if (c->head_have < c->head_need) {
      c->head[c->head_have++] = *data++;
      length--;
      if (c->head_have < c->head_need || !begin_payload(c)) continue;
      if (c->left == 0) message_end(c);
      continue;
    }
    size_t part = c->left < length ? (size_t)c->left : length;
    if (c->left - part < TRAILER || c->opcode >= CLOSE) keep_tail(c, data, part);
    c->left -= part;
    data += part;
    length -= part;
    if (c->left == 0) message_end(c);
  }
}

/* @returns bytes read */
static size_t read_some(Client *c, size_t most) {
  ssize_t got = recv(c->fd, buffer, most < READ_BYTES ? most : READ_BYTES, MSG_DONTWAIT);
  if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) lost(c);
  if (got <= 0) return 0;
  uint64_t now = now_ns();
  if (now >= window_from && now < window_to) c->class->bytes += (uint64_t)got;
  parse(c, buffer, (size_t)got);
  return (size_t)got;
}

static void read_at_rate(Client *c, uint64_t now) {
  c->credit += c->class->rate * (double)(now - c->credit_ns) / 1e9;
  c->credit_ns = now;
  double most = c->class->rate * 0.02; /* what a late tick may catch up */
  if (c->credit > most) c->credit = most;
  while (c->fd >= 0 && c->credit >= 1) {
    size_t got = read_some(c, (size_t)c->credit);
    c->credit -= (double)got;
    if (got == 0) break;
  }
}

static void open_client(Client *c, int port, const char *path) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int one = 1;
  char text[512];
  c->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (c->fd < 0 || connect(c->fd, (struct sockaddr *)&to, sizeof to)) die("connect");
  setsockopt(c->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
  int length = snprintf(text, sizeof text,
                        "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n",
                        path, port);
  if (send(c->fd, text, (size_t)length, MSG_NOSIGNAL) != length) die("send");
  /* byte by byte up to the blank line: what follows belongs to the websocket */
  size_t have = 0;
  while (have < sizeof text - 1 && (have < 4 || memcmp(text + have - 4, "\r\n\r\n", 4))) {
    if (recv(c->fd, text + have, 1, 0) != 1) die("handshake");
    have++;
  }
  text[have] = 0;
  if (!strstr(text, " 101 ")) {
    fprintf(stderr, "ws-clients: no upgrade: %s\n", text);
    exit(1);
  }
  c->head_need = 2;
  c->credit_ns = now_ns();
}

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static double at(const Class *k, double q) {
  if (k->frames == 0) return -1;
  return k->ages_us[(size_t)(q * (double)(k->frames - 1))] / 1e3;
}

static void print_class(Class *k, uint64_t started) {
  qsort(k->ages_us, k->frames, sizeof *k->ages_us, by_value);
  printf("{\"name\":\"%s\",\"clients\":%d,\"frames\":%zu,\"bytes\":%llu,\"missed\":%llu,\"p50_ms\":%.3f,\"p90_ms\":%.3f,"
         "\"p99_ms\":%.3f,\"max_ms\":%.3f,\"closed\":%d,\"closed_after_s\":%.2f}",
         k->name, k->count, k->frames, (unsigned long long)k->bytes, (unsigned long long)k->missed, at(k, .5), at(k, .9),
         at(k, .99), at(k, 1), k->closed, k->closed ? (double)(k->closed_ns - started) / 1e9 : -1.0);
}

static Class parse_class(char *text) {
  Class k = {0};
  k.name = strtok(text, ",");
  k.count = atoi(strtok(NULL, ","));
  k.rate = atof(strtok(NULL, ","));
  k.ack = atoi(strtok(NULL, ","));
  return k;
}

int main(int argc, char **argv) {
  if (argc < 7) {
    fprintf(stderr, "usage: ws-clients PORT PATH SERVER_PID WARM_S MEASURE_S NAME,COUNT,BYTES_PER_S,ACK...\n");
    return 2;
  }
  int port = atoi(argv[1]), pid = atoi(argv[3]), classes = argc - 6, total = 0, slow = 0;
  uint64_t warm = (uint64_t)(atof(argv[4]) * 1e9), measure = (uint64_t)(atof(argv[5]) * 1e9);
  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);

  Class *class = calloc((size_t)classes, sizeof *class);
  for (int i = 0; i < classes; i++) {
    class[i] = parse_class(argv[6 + i]);
    total += class[i].count;
    if (class[i].rate > 0) slow = 1;
  }
  Client *clients = calloc((size_t)total, sizeof *clients);
  int poll = epoll_create1(EPOLL_CLOEXEC);
  uint64_t started = now_ns();
  for (int i = 0, n = 0; i < classes; i++) {
    for (int j = 0; j < class[i].count; j++, n++) {
      clients[n].class = &class[i];
      open_client(&clients[n], port, argv[2]);
      struct epoll_event want = {.events = class[i].rate == 0 ? EPOLLIN : EPOLLRDHUP, .data.u32 = (uint32_t)n};
      if (epoll_ctl(poll, EPOLL_CTL_ADD, clients[n].fd, &want)) die("epoll_ctl");
    }
  }

  uint64_t cpu_from = 0, opens = now_ns() + warm, closes = opens + measure, next_slow = 0;
  struct epoll_event ready[256];
  for (;;) {
    uint64_t now = now_ns();
    if (window_from == UINT64_MAX && now >= opens) {
      cpu_from = process_cpu_ns(pid);
      window_from = now_ns();
      closes = window_to = window_from + measure;
      puts("measuring");
      fflush(stdout);
    }
    if (now >= closes) break;
    if (slow && now >= next_slow) {
      for (int n = 0; n < total; n++)
        if (clients[n].fd >= 0 && clients[n].class->rate > 0) read_at_rate(&clients[n], now);
      next_slow = now + SLOW_TICK;
    }
    int count = epoll_wait(poll, ready, 256, slow ? 1 : 10);
    for (int i = 0; i < count; i++) {
      Client *c = &clients[ready[i].data.u32];
      if (c->fd < 0) continue;
      if (c->class->rate == 0) read_some(c, READ_BYTES);
      else if (ready[i].events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP) && c->class->rate < 0) lost(c);
    }
  }
  uint64_t cpu_to = process_cpu_ns(pid), ended = now_ns();
  printf("{\"seconds\":%.4f,\"cpu_s\":%.6f,\"classes\":[", (double)(ended - window_from) / 1e9,
         (double)(cpu_to - cpu_from) / 1e9);
  for (int i = 0; i < classes; i++) {
    if (i) putchar(',');
    print_class(&class[i], started);
  }
  puts("]}");
  return 0;
}
