package io.multimed.tests.hostile;

import io.multimed.testkit.wire.ServerAddress;

/**
 * One hostile input.
 *
 * @param number running number of the attack
 * @param name in words
 * @param input sends it and returns the answer
 */
record Attack(int number, String name, Input input) {
    @FunctionalInterface
    interface Input {
        Reaction send(ServerAddress address) throws Exception;
    }

    @Override
    public String toString() {
        return number + ". " + name;
    }
}
