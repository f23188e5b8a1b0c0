package io.multimed.engine.postgresql.relay;

import io.multimed.core.node.ComputationalNode;
import io.multimed.core.propagation.FreshnessGate;
import io.multimed.core.propagation.MasterLog;
import io.multimed.core.propagation.MasterVisibility;
import io.multimed.engine.postgresql.wire.Lsn;
import io.multimed.model.NodeId;
import io.multimed.model.Role;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs a Relay alone, for measurements ({@code bench/relay-tpcb}): {@code RelayMain MASTER_SOCKET_DIRECTORY PORT MASTER_DATA
 * LISTEN_DIRECTORY}. Standard input: a line {@code withdraw} or {@code resume}; it ends with the input.
 */
final class RelayMain {
    private RelayMain() {}

    public static void main(String[] args) throws Exception {
        MasterVisibility visibility = new MasterVisibility();
        MasterLog log = new MasterLog(visibility);
        Relay relay = new Relay(
                new RelayAddresses(
                        Path.of(args[0]), Integer.parseInt(args[1]), "postgres", Path.of(args[2]), Path.of(args[3]), 1),
                RelayOptions.DEFAULT,
                log,
                List.of(
                        new ComputationalNode(NodeId.satellite(1), Role.SATELLITE),
                        new ComputationalNode(NodeId.satellite(2), Role.SATELLITE),
                        new ComputationalNode(NodeId.satellite(3), Role.SATELLITE)),
                new SilentListener());
        relay.start(new FreshnessGate(relay));
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String command = commands.readLine(); command != null; command = commands.readLine()) {
            switch (command) {
                case "withdraw" -> relay.withdraw();
                case "resume" -> relay.resume();
                default -> System.out.println("received " + Lsn.format(log.received()));
            }
        }
        relay.close();
    }

    static final class SilentListener implements RelayListener {
        @Override
        public void masterConnected() {
            System.out.println("connected");
        }

        @Override
        public void masterLost(String reason) {
            System.out.println("lost: " + reason);
        }

        @Override
        public void masterUnusable(String reason) {
            System.out.println("unusable: " + reason);
        }

        @Override
        public void feedConnected(NodeId satellite) {}

        @Override
        public void feedLost(NodeId satellite, String reason) {
            System.out.println("feedLost " + satellite + " " + reason);
        }

        @Override
        public void applied(NodeId satellite, long position) {}

        @Override
        public void silent(NodeId satellite) {
            System.out.println("silent " + satellite);
        }

        @Override
        public void heardAgain(NodeId satellite) {}

        @Override
        public void logUnavailable(NodeId satellite, long position) {
            System.out.println("logUnavailable " + satellite);
        }

        @Override
        public void catalogChanged(CatalogChange change) {}
    }
}
