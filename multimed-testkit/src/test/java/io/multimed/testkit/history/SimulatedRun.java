package io.multimed.testkit.history;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A model of Master, Satellites and clients in one thread, whose histories are right unless it is given a fault. */
final class SimulatedRun {
    /** The defect that is built in. */
    enum Fault {
        NONE,
        /** Reads do not wait for freshness. */
        NO_WAIT,
        /** The floor is the beginning of the last commit record instead of its end. */
        START_OF_COMMIT,
        /** A Satellite applies two write sets in the wrong order. */
        SWAPPED,
        /** A Satellite shows a write set half-applied. */
        SPLIT,
        /** A Satellite leaves one write set out. */
        DROPPED,
        /** A Satellite applies one write set twice. */
        TWICE,
        /** A commit is acknowledged before its record is written. */
        EARLY_ACKNOWLEDGEMENT,
        /** A Satellite that had been away gets reads again before it has caught up. */
        STALE_READMITTED,
        /** Reads on the Master do not wait until it shows what Satellites have shown. */
        NO_PROBE,
        /** The Master forgets one acknowledged commit. */
        LOST,
        /** A Satellite is sent a commit before the Master has written it, when its client has not yet requested it. */
        FORESEEN
    }

    private static final int REGISTERS = 8;
    private static final int SESSIONS = 6;
    private static final int SATELLITES = 2;

    private static final class Writer {
        long id;
        int session;
        long invoked;
        long sent;
        Set<Integer> registers = Set.of();
        Map<Integer, Long> read = Map.of();
        int stage;
    }

    final List<Update> updates = new ArrayList<>();
    final List<Read> reads = new ArrayList<>();
    final List<Commit> order = new ArrayList<>();

    private final Random random;
    private final Fault fault;
    private final int[] applied = new int[SATELLITES];
    private final List<Set<Integer>> odd = new ArrayList<>();
    private final Set<Long> visible = new HashSet<>();
    private final Map<Integer, Writer> busy = new HashMap<>();
    private final Set<Integer> locked = new HashSet<>();
    private final long[] freeAt = new long[SESSIONS];
    private long now = 1;
    private long nextId = 1000;
    private int shown;
    private int visiblePrefix;

    SimulatedRun(long seed, Fault fault, int steps) {
        random = new Random(seed);
        this.fault = fault;
        for (int i = 0; i < SATELLITES; i++) {
            odd.add(new HashSet<>());
        }
        for (int step = 0; step < steps; step++) {
            int session = random.nextInt(SESSIONS);
            now++;
            if (busy.containsKey(session)) {
                advance(busy.get(session));
            } else if (now >= freeAt[session]) {
                switch (random.nextInt(4)) {
                    case 0 -> begin(session);
                    case 1 -> readOnMaster(session);
                    default -> readOnSatellite(session);
                }
            }
            int satellite = random.nextInt(SATELLITES);
            if (applied[satellite] < order.size() && random.nextBoolean()) {
                apply(satellite, applied[satellite] + 1);
            }
        }
        for (int i = 0; i < SESSIONS; i++) {
            while (busy.containsKey(i)) {
                now++;
                advance(busy.get(i));
            }
        }
        if (fault == Fault.LOST) {
            order.remove(order.size() / 2);
        }
    }

    private void begin(int session) {
        int first = random.nextInt(REGISTERS);
        Set<Integer> registers = new HashSet<>(Set.of(first));
        if (random.nextBoolean()) {
            registers.add((first + 1 + random.nextInt(REGISTERS - 1)) % REGISTERS);
        }
        if (registers.stream().anyMatch(locked::contains) || !masterMayBeRead()) {
            return;
        }
        locked.addAll(registers);
        Writer writer = new Writer();
        writer.id = nextId++;
        writer.session = session;
        writer.invoked = now++;
        writer.registers = registers;
        if (random.nextBoolean()) {
            Map<Integer, Long> all = onMaster();
            Map<Integer, Long> read = new HashMap<>();
            registers.forEach(register -> read.put(register, all.get(register)));
            writer.read = read;
        }
        writer.sent = Long.MAX_VALUE;
        busy.put(session, writer);
    }

    private void advance(Writer writer) {
        switch (writer.stage++) {
            case 0 -> writer.sent = now++;
            case 1 -> {
                order.add(new Commit(writer.id, writer.registers));
                if (fault == Fault.EARLY_ACKNOWLEDGEMENT) {
                    acknowledge(writer, writer.sent + 1);
                }
            }
            case 2 -> {
                visible.add(writer.id);
                locked.removeAll(writer.registers);
                if (fault != Fault.EARLY_ACKNOWLEDGEMENT) {
                    acknowledge(writer, now++);
                }
                busy.remove(writer.session);
            }
            default -> throw new IllegalStateException();
        }
    }

    private void acknowledge(Writer writer, long replied) {
        updates.add(new Update(
                writer.session,
                writer.id,
                writer.invoked,
                writer.sent,
                replied,
                Outcome.OK,
                writer.read,
                writer.registers));
    }

    private void apply(int satellite, int upTo) {
        for (int position = applied[satellite] + 1; position <= upTo; position++) {
            if (random.nextInt(8) == 0) {
                odd.get(satellite).add(position);
            }
        }
        applied[satellite] = Math.max(applied[satellite], upTo);
    }

    private boolean masterMayBeRead() {
        while (visiblePrefix < order.size()
                && visible.contains(order.get(visiblePrefix).id())) {
            visiblePrefix++;
        }
        return fault == Fault.NO_PROBE || visiblePrefix >= shown;
    }

    private void readOnMaster(int session) {
        if (!masterMayBeRead()) {
            return;
        }
        long invoked = now++;
        Map<Integer, Long> registers = onMaster();
        long sum = visible.stream().mapToLong(Long::longValue).sum();
        reads.add(Read.first(session, invoked, now++, true, registers, visible.size(), sum));
    }

    private Map<Integer, Long> onMaster() {
        Map<Integer, Long> registers = new HashMap<>();
        for (int register = 0; register < REGISTERS; register++) {
            registers.put(register, 0L);
        }
        for (Commit commit : order) {
            if (visible.contains(commit.id())) {
                commit.registers().forEach(register -> registers.put(register, commit.id()));
            }
        }
        return registers;
    }

    private void readOnSatellite(int session) {
        long invoked = now++;
        int satellite = random.nextInt(SATELLITES);
        int floor = order.size();
        if (fault == Fault.START_OF_COMMIT) {
            floor = Math.max(0, floor - 1);
        }
        boolean waits = fault != Fault.NO_WAIT && !(fault == Fault.STALE_READMITTED && satellite == 1);
        if (waits) {
            apply(satellite, Math.max(applied[satellite], floor));
        }
        int at = applied[satellite];
        shown = Math.max(shown, at);
        List<Commit> seen = new ArrayList<>(order.subList(0, at));
        Set<Integer> half = Set.of();
        boolean isOdd = odd.get(satellite).contains(at);
        if (at > 0) {
            switch (fault) {
                case SWAPPED -> {
                    for (int position : odd.get(satellite)) {
                        if (position < at) {
                            Collections.swap(seen, position - 1, position);
                        }
                    }
                }
                case SPLIT -> {
                    if (isOdd) {
                        half = Set.of(seen.getLast().registers().iterator().next());
                    }
                }
                case DROPPED ->
                    odd.get(satellite).stream()
                            .filter(p -> p <= at)
                            .min(Integer::compare)
                            .ifPresent(p -> seen.remove(p - 1));
                case TWICE -> {
                    if (isOdd) {
                        seen.add(seen.getLast());
                    }
                }
                case FORESEEN ->
                    busy.values().stream()
                            .filter(writer -> writer.stage == 0)
                            .findAny()
                            .ifPresent(writer -> seen.add(new Commit(writer.id, writer.registers)));
                default -> {}
            }
        }
        Map<Integer, Long> registers = new HashMap<>();
        for (int register = 0; register < REGISTERS; register++) {
            registers.put(register, 0L);
        }
        long sum = 0;
        for (int i = 0; i < seen.size(); i++) {
            Commit commit = seen.get(i);
            sum += commit.id();
            for (int register : commit.registers()) {
                if (i < seen.size() - 1 || half.isEmpty() || half.contains(register)) {
                    registers.put(register, commit.id());
                }
            }
        }
        if (random.nextInt(3) == 0) {
            reads.add(Read.first(session, invoked, now++, false, Map.of(), seen.size(), sum));
        } else {
            registers.keySet().removeIf(register -> random.nextInt(3) == 0);
            reads.add(Read.first(session, invoked, now++, false, registers, Read.NOT_LOOKED, 0));
        }
    }
}
