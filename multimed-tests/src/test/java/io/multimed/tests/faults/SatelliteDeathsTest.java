package io.multimed.tests.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.multimed.testkit.random.Seed;
import io.multimed.testkit.wire.WireSession;
import io.multimed.tests.server.RunningMultimed;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * A Satellite dies again and again, in every way, while clients send requests in every form of the protocol. No connection ends
 * by it. A lost answer is reported as 40001 and nothing else, and all other requests are answered as if nothing had happened.
 *
 * <p>{@code -Dmultimed.deaths=100} for more deaths, {@code -Dmultimed.test.seed=N} for the same ones again, though not at the
 * same moments.
 */
@Isolated("kills and freezes engines")
@Tag("slow")
class SatelliteDeathsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int DEATHS = Integer.getInteger("multimed.deaths", Death.values().length);
    private static final long SEED = Seed.of("multimed.test.seed");

    /** Time after which the wait accepts one more client that is not reading yet. */
    private static final long ENOUGH_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

    /** Ways in which a Satellite dies, or ends its sessions. */
    enum Death {
        KILLED {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                signal("KILL", multimed.satellitePid(0));
            }
        },
        /** One process is cut off wherever it is; the others report 57P02. */
        ONE_PROCESS_KILLED {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                List<Long> processes = serving(multimed);
                signal("KILL", processes.get(random.nextInt(processes.size())));
            }
        },
        ALL_PROCESSES_KILLED {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                for (long process : serving(multimed)) {
                    signal("KILL", process);
                }
            }
        },
        STOPPED_IMMEDIATELY {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                signal("QUIT", multimed.satellitePid(0));
            }
        },
        STOPPED_FAST {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                signal("INT", multimed.satellitePid(0));
            }
        },
        /** The Satellite lives on without its sessions. */
        SESSIONS_TERMINATED {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                for (long process : serving(multimed)) {
                    signal("TERM", process);
                }
            }
        },
        FROZEN {
            @Override
            void happens(RunningMultimed multimed, Random random) throws Exception {
                long engine = multimed.satellitePid(0);
                List<ProcessHandle> processes = new ArrayList<>();
                ProcessHandle.of(engine).ifPresent(postmaster -> {
                    processes.add(postmaster);
                    postmaster.descendants().forEach(processes::add);
                });
                for (ProcessHandle process : processes) {
                    if (process.isAlive()) {
                        signal("STOP", process.pid());
                    }
                }
            }
        };

        abstract void happens(RunningMultimed multimed, Random random) throws Exception;

        /** Returns the processes that serve clients. */
        private static List<Long> serving(RunningMultimed multimed) throws IOException {
            try (WireSession satellite = WireSession.open(multimed.satellite(0), "postgres", "postgres", PATIENCE)) {
                return satellite
                        .rows("SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend'"
                                + " AND pid <> pg_backend_pid() AND (state <> 'idle' OR query LIKE '%deaths%')")
                        .stream()
                        .map(row -> Long.valueOf(String.valueOf(row.getFirst())))
                        .toList();
            }
        }

        private static void signal(String signal, long pid) throws IOException, InterruptedException {
            // The process may have ended by itself meanwhile.
            new ProcessBuilder("kill", "-" + signal, Long.toString(pid))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        }
    }

    private final AtomicBoolean over = new AtomicBoolean();
    private final Random random = new Random(SEED);

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void noConnectionEndsAndWhatIsLostIsTold() throws Exception {
        System.out.println("multimed.test.seed=" + SEED);
        ReadingForm[] forms = ReadingForm.values();
        try (RunningMultimed multimed = RunningMultimed.start(1);
                ExecutorService threads = Executors.newFixedThreadPool(forms.length)) {
            List<DeathsClient> clients = new ArrayList<>();
            List<Future<?>> ends = new ArrayList<>();
            try {
                for (ReadingForm form : forms) {
                    DeathsClient client = new DeathsClient(
                            multimed.address(),
                            form,
                            new Random(random.nextLong()),
                            () -> multimed.satellitesServing() == 1);
                    clients.add(client);
                    ends.add(threads.submit(() -> {
                        client.run(over);
                        return null;
                    }));
                }
                for (int death = 0; death < DEATHS && ends.stream().noneMatch(Future::isDone); death++) {
                    RunningMultimed.await(() -> multimed.satellitesServing() == 1, "the Satellite serving again");
                    awaitReading(clients, ends);
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(60)));
                    long engine = multimed.satellitePid(0);
                    Death way = Death.values()[death % Death.values().length];
                    way.happens(multimed, random);
                    if (way != Death.SESSIONS_TERMINATED) {
                        RunningMultimed.await(() -> multimed.satellitePid(0) != engine, way + " being noticed");
                    }
                }
            } finally {
                over.set(true);
            }
            for (Future<?> end : ends) {
                end.get();
            }
            assertHits(clients);
        }
    }

    /** Waits until each client, or after a while most of them, is in the middle of a read on the Satellite. */
    private static void awaitReading(List<DeathsClient> clients, List<Future<?>> ends) {
        long begun = System.nanoTime();
        RunningMultimed.await(
                () -> {
                    long notYet =
                            clients.stream().filter(client -> !client.isAmid()).count();
                    return notYet <= (System.nanoTime() - begun) / ENOUGH_PATIENCE_NANOS
                            || ends.stream().anyMatch(Future::isDone);
                },
                "clients reading on the Satellite");
    }

    private static void assertHits(List<DeathsClient> clients) {
        Map<ReadingForm, Integer> hits = new EnumMap<>(ReadingForm.class);
        for (DeathsClient client : clients) {
            hits.merge(client.form(), client.hits(), Integer::sum);
        }
        System.out.println("deaths: " + DEATHS + ", what they hit: " + hits);
        assertEquals(ReadingForm.values().length, hits.size());
        hits.forEach((form, count) ->
                assertTrue(count * 2 >= DEATHS, () -> form + " was hit by " + count + " of " + DEATHS + " deaths"));
    }
}
