import type { TrainableNetwork } from '../../policy/training/trainable-network.ts';
import type { ActorCritic } from '../ppo/actor-critic.ts';
import { type SignedPermutation, type Symmetry, swappedHalves } from './signed-permutation.ts';
import { SymmetricPasses } from './symmetric-passes.ts';

/** Largest difference of a parameter and its partner in a symmetric network, as a share of the largest parameter. */
const SAME = 1e-5;

/** Pairs the parameters of a network so that it is symmetric: the output of a mirrored input is the mirrored output
 *  (an equivariant network, as in Cohen and Welling 2016). The units of each hidden layer form pairs that swap. Weight
 *  (o, i) and its partner (o', i') differ in the product of both signs, bias o and o' in the sign of o.
 *
 *  Gradients of symmetric networks that are paired in the same way are those of a batch that contains the mirror image
 *  of each row, too. If Adam's moments are symmetric, its steps keep the symmetry. */
export class NetworkSymmetry {
  /** (pairs) indices of parameters and of their partners, which are larger or equal */
  readonly #index: Int32Array;
  readonly #partner: Int32Array;
  readonly #sign: Int8Array;

  constructor(network: TrainableNetwork, input: SignedPermutation, output: SignedPermutation) {
    const size = network.parameters.length;
    const [indices, partners, signs] = [new Int32Array(size), new Int32Array(size), new Int8Array(size)];
    let count = 0;
    const add = (index: number, partner: number, sign: number) => {
      if (index > partner) return;
      indices[count] = index;
      partners[count] = partner;
      signs[count++] = sign;
    };
    const { layers, std } = network.layout;
    let before = input;
    for (const [k, { inputs, outputs, weight, bias, width }] of layers.entries()) {
      const after = k === layers.length - 1 ? output : swappedHalves(outputs);
      for (let o = 0; o < outputs; o++) {
        const [to, sign] = [after.from[o]!, after.sign[o]!];
        add(bias + o, bias + to, sign);
        for (let i = 0; i < inputs; i++)
          add(weight + i * width + o, weight + before.from[i]! * width + to, sign * before.sign[i]!);
      }
      before = after;
    }
    for (let j = 0; j < network.std.length; j++) add(std + j, std + output.from[j]!, 1);
    this.#index = indices.slice(0, count);
    this.#partner = partners.slice(0, count);
    this.#sign = signs.slice(0, count);
  }

  /** Makes parameters symmetric: each partner gets the value of the first parameter of its pair. */
  copy(parameters: Float32Array): void {
    this.#each((index, partner, sign) => {
      parameters[index] = index === partner && sign < 0 ? 0 : parameters[index]!;
      parameters[partner] = sign * parameters[index]!;
    });
  }

  /** Makes gradients symmetric: both of a pair get their mean. */
  average(gradients: Float32Array): void {
    // This runs before each step, so it does not call a function per pair.
    const [indices, partners, signs] = [this.#index, this.#partner, this.#sign];
    for (let k = 0; k < indices.length; k++) {
      const [index, partner, sign] = [indices[k]!, partners[k]!, signs[k]!];
      const mean = 0.5 * (gradients[index]! + sign * gradients[partner]!);
      gradients[index] = mean;
      gradients[partner] = sign * mean;
    }
  }

  /** Returns true if parameters are symmetric. */
  isSymmetric(parameters: Float32Array): boolean {
    let [most, largest] = [0, 0];
    this.#each((index, partner, sign) => {
      most = Math.max(most, Math.abs(parameters[partner]! - sign * parameters[index]!));
      largest = Math.max(largest, Math.abs(parameters[index]!));
    });
    return most <= SAME * largest;
  }

  #each(visit: (index: number, partner: number, sign: number) => void): void {
    for (let k = 0; k < this.#index.length; k++) visit(this.#index[k]!, this.#partner[k]!, this.#sign[k]!);
  }
}

interface NetworkWithPasses {
  readonly network: TrainableNetwork;
  readonly passes: SymmetricPasses;
}

/** The symmetry of both networks of PPO. */
export class SymmetricNetworks {
  readonly symmetry: Symmetry;
  readonly #networks: ActorCritic;
  readonly #actor: NetworkSymmetry;
  readonly #critic: NetworkSymmetry;
  /** null until the networks are symmetric for the first time */
  #passes: readonly NetworkWithPasses[] | null = null;

  constructor(networks: ActorCritic, symmetry: Symmetry) {
    this.symmetry = symmetry;
    this.#networks = networks;
    this.#actor = new NetworkSymmetry(networks.actor, symmetry.actor, symmetry.action);
    this.#critic = new NetworkSymmetry(networks.critic, symmetry.critic, UNCHANGED);
  }

  /** Makes new networks symmetric. */
  makeSymmetric(): void {
    const { actor, critic } = this.#networks;
    this.#actor.copy(actor.parameters);
    this.#critic.copy(critic.parameters);
    actor.repack();
    critic.repack();
  }

  /** Finds out whether the networks are symmetric, and selects their passes accordingly. Call it after their parameters
   *  were replaced. @returns whether they are symmetric */
  choosePasses(): boolean {
    const { isSymmetric } = this;
    if (isSymmetric) this.#passes ??= this.#createPasses();
    for (const { network, passes } of this.#passes ?? []) network.usePasses(isSymmetric ? passes : null);
    return isSymmetric;
  }

  /** Returns true if the networks are symmetric. */
  get isSymmetric(): boolean {
    const { actor, critic } = this.#networks;
    return this.#actor.isSymmetric(actor.parameters) && this.#critic.isSymmetric(critic.parameters);
  }

  #createPasses(): NetworkWithPasses[] {
    const { actor, critic } = this.#networks;
    return [
      { network: actor, input: this.symmetry.actor, output: this.symmetry.action },
      { network: critic, input: this.symmetry.critic, output: UNCHANGED },
    ]
      .filter(({ network }) => SymmetricPasses.canFold(network.options.sizes.slice(1, -1)))
      .map(({ network, input, output }) => ({ network, passes: new SymmetricPasses(network, input, output) }));
  }

  /** Makes the gradients of both networks symmetric. */
  averageGradients(): void {
    this.#actor.average(this.#networks.actor.gradients);
    this.#critic.average(this.#networks.critic.gradients);
  }
}

/** The value of a state and of its mirror image are equal. */
const UNCHANGED: SignedPermutation = { from: Int32Array.of(0), sign: Float32Array.of(1) };
