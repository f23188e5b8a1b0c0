package io.multimed.tests.history;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The workload's tables, and the writers of each register. */
final class Schema {
    static final int SHARED_REGISTERS = 4;
    static final int SERIAL_REGISTERS = 4;
    static final int OWN_REGISTERS = 4;

    static final String CREATE = """
            CREATE TABLE register (k int PRIMARY KEY, v bigint NOT NULL);
            CREATE TABLE entry (id bigint NOT NULL);
            """;

    private Schema() {}

    static String fill(int writers) {
        return IntStream.range(0, registers(writers))
                .mapToObj(register -> "(" + register + ", 0)")
                .collect(Collectors.joining(", ", "INSERT INTO register VALUES ", ""));
    }

    static int registers(int writers) {
        return SHARED_REGISTERS + SERIAL_REGISTERS + writers * OWN_REGISTERS;
    }

    /** Returns a register of a writer that shares its registers with no other. */
    static int own(int writer, RandomGenerator random) {
        return SHARED_REGISTERS + SERIAL_REGISTERS + writer * OWN_REGISTERS + random.nextInt(OWN_REGISTERS);
    }

    /** Returns a register of the one writer whose transactions never overlap. */
    static int serial(RandomGenerator random) {
        return SHARED_REGISTERS + random.nextInt(SERIAL_REGISTERS);
    }

    /** Returns a register of the writers that read the shared registers first. */
    static int shared(RandomGenerator random) {
        return random.nextInt(SHARED_REGISTERS);
    }

    /** Returns so many different registers. */
    static List<Integer> some(int count, int writers, RandomGenerator random) {
        List<Integer> all = new ArrayList<>();
        while (all.size() < count) {
            int register = random.nextInt(registers(writers));
            if (!all.contains(register)) {
                all.add(register);
            }
        }
        return all;
    }
}
