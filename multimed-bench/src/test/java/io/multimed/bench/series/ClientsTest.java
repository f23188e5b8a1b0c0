package io.multimed.bench.series;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.multimed.bench.BenchException;
import io.multimed.bench.client.Worker;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClientsTest {
    /** @param broken the number of the client that does not go on; 0 for none */
    private static Clients started(int broken) throws Exception {
        Clients all = Clients.connect(
                number -> new Worker() {
                    @Override
                    public void connect() {}

                    @Override
                    public void run() {
                        if (number == broken) {
                            throw new IllegalArgumentException("there is nothing to choose from");
                        }
                    }

                    @Override
                    public void disconnect() {}
                },
                3);
        all.start();
        return all;
    }

    @Test
    void aClientThatEndsByItselfMakesTheRunVoid() throws Exception {
        Clients all = started(2);
        assertEquals(
                "client 2 ended by itself: java.lang.IllegalArgumentException: there is nothing to choose from",
                assertThrows(BenchException.class, all::join).getMessage());
    }

    @Test
    void anInterruptEndsConnecting() {
        List<Integer> connected = new ArrayList<>();
        assertThrows(
                InterruptedException.class,
                () -> Clients.connect(
                        number -> new Worker() {
                            @Override
                            public void connect() {
                                connected.add(number);
                                if (number == 2) {
                                    Thread.currentThread().interrupt();
                                }
                            }

                            @Override
                            public void run() {}

                            @Override
                            public void disconnect() {
                                connected.remove((Integer) number);
                            }
                        },
                        3));
        assertEquals(List.of(), connected);
    }

    @Test
    void clientsThatStopWhenTheyAreToldAreAllThereIs() throws Exception {
        started(0).join();
    }
}
