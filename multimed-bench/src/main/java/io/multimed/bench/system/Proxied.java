package io.multimed.bench.system;

import io.multimed.bench.BenchException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * A program in front of engines, which end with it.
 *
 * @param name of the program
 * @param port on 127.0.0.1
 * @param options of pgjdbc that it needs
 */
record Proxied(String name, RunningSystem engines, Leashed process, int port, String options) implements RunningSystem {
    private static final long PATIENCE_NANOS = 10_000_000_000L;

    /** Starts a program in front of engines. */
    interface Start {
        /** @return a process that is going to listen on the port */
        Leashed start(int port) throws BenchException, InterruptedException;
    }

    /**
     * Starts the program and waits until it listens.
     *
     * @throws BenchException if it does not; the engines have ended then
     */
    static Proxied start(String name, RunningSystem engines, String options, Start start)
            throws BenchException, InterruptedException {
        try {
            int port = PostgresServer.freePort();
            Leashed process = start.start(port);
            try {
                awaitListening(name, process, port);
                return new Proxied(name, engines, process, port, options);
            } catch (BenchException | InterruptedException | RuntimeException e) {
                process.close();
                throw e;
            }
        } catch (BenchException | InterruptedException | RuntimeException e) {
            engines.close();
            throw e;
        }
    }

    private static void awaitListening(String name, Leashed process, int port)
            throws BenchException, InterruptedException {
        long deadline = System.nanoTime() + PATIENCE_NANOS;
        while (true) {
            try {
                new Socket(InetAddress.getLoopbackAddress(), port).close();
                return;
            } catch (IOException notYet) {
                if (process.process().waitFor(10, TimeUnit.MILLISECONDS) || System.nanoTime() - deadline > 0) {
                    throw new BenchException(name + " does not start: " + process.lastWords(), notYet);
                }
            }
        }
    }

    @Override
    public Address address() {
        return Address.postgresql(port, options);
    }

    @Override
    public List<Node> nodes() {
        return engines.nodes();
    }

    @Override
    public Map<String, Long> processes() {
        Map<String, Long> all = new TreeMap<>(engines.processes());
        all.put(name, process.pid());
        return all;
    }

    @Override
    public void close() throws BenchException {
        try {
            process.close();
        } finally {
            engines.close();
        }
    }
}
