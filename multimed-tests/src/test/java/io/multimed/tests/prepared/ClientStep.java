package io.multimed.tests.prepared;

import java.util.List;

/**
 * One action of one client.
 *
 * @param client its number, from 0
 * @param about a description for people
 * @param messages bytes to send, which end with a Sync or are one Query
 */
record ClientStep(int client, String about, List<byte[]> messages) {
    @Override
    public String toString() {
        return "client " + client + ": " + about;
    }
}
