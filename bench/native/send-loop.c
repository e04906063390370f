/* The floor of a frame fan-out: one thread, a clock, send() to every client in turn.
 *
 *   send-loop FRAME_BYTES FPS
 *
 * Accepts websocket connections on a port of the kernel's choice and tells it as {"port":n}. A client whose socket
 * is full gets the rest of its frame from a copy and misses the frames in between. Nothing is read from clients. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_CLIENTS 4096

typedef struct {
  int fd;
  uint8_t *rest; /* what the socket did not take of the last frame */
  size_t rest_from, rest_to;
} Client;

static Client clients[MAX_CLIENTS];
static int count;

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec;
}

static void accept_clients(int listener) {
  static const char reply[] = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                              "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"; /* of RFC 6455's own key */
  for (int fd; count < MAX_CLIENTS && (fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC)) >= 0;) {
    char text[2048];
    size_t have = 0;
    int one = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    while (have < sizeof text && (have < 4 || memcmp(text + have - 4, "\r\n\r\n", 4))) {
      ssize_t got = recv(fd, text + have, sizeof text - have, 0);
      if (got <= 0) break;
      have += (size_t)got;
    }
    if (send(fd, reply, sizeof reply - 1, MSG_NOSIGNAL) < 0) close(fd);
    else clients[count++] = (Client){.fd = fd};
  }
}

static void drop(int index) {
  close(clients[index].fd);
  free(clients[index].rest);
  clients[index] = clients[--count];
}

/* @returns 0 when the client is gone */
static int send_frame(Client *c, const uint8_t *frame, size_t bytes) {
  if (c->rest_from < c->rest_to) {
    ssize_t sent = send(c->fd, c->rest + c->rest_from, c->rest_to - c->rest_from, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent < 0) return errno == EAGAIN;
    c->rest_from += (size_t)sent;
    if (c->rest_from < c->rest_to) return 1;
  }
  ssize_t sent = send(c->fd, frame, bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN;
  if ((size_t)sent < bytes) {
    if (!c->rest && !(c->rest = malloc(bytes))) return 0;
    memcpy(c->rest, frame + sent, bytes - (size_t)sent);
    c->rest_from = 0;
    c->rest_to = bytes - (size_t)sent;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: send-loop FRAME_BYTES FPS\n");
    return 2;
  }
  size_t payload = (size_t)atol(argv[1]), head = payload < 65536 ? 4 : 10, bytes = head + payload;
  uint64_t period = (uint64_t)(1e9 / atof(argv[2])), seq = 0;
  uint8_t *frame = calloc(1, bytes);
  if (!frame || payload < 126) return 2;
  frame[0] = 0x82;
  frame[1] = head == 4 ? 126 : 127;
  for (size_t i = 2; i < head; i++) frame[i] = (uint8_t)(payload >> 8 * (head - 1 - i));

  struct rlimit files;
  getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof at;
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 1024)) return 1;
  getsockname(listener, (struct sockaddr *)&at, &length);
  printf("{\"port\":%d}\n", ntohs(at.sin_port));
  fflush(stdout);

  for (uint64_t due = now_ns();;) {
    due += period;
    struct timespec t = {.tv_sec = (time_t)(due / 1000000000ull), .tv_nsec = (long)(due % 1000000000ull)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL) == EINTR) {}
    if (now_ns() > due + period) due = now_ns();
    accept_clients(listener);
    uint64_t stamp = now_ns();
    seq++;
    memcpy(frame + bytes - 16, &stamp, 8);
    memcpy(frame + bytes - 8, &seq, 8);
    for (int i = count - 1; i >= 0; i--)
      if (!send_frame(&clients[i], frame, bytes)) drop(i);
  }
}
