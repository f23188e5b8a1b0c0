package io.multimed.model.topology;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A set of hardware threads, identified by the kernel's numbers and written in the kernel's form: {@code 0-3,8}. */
public final class CpuSet {
    public static final CpuSet EMPTY = new CpuSet(new BitSet());

    /** Largest cpu number that Linux supports. */
    private static final int MAX_NUMBER = 8191;

    private final BitSet bits;

    private CpuSet(BitSet bits) {
        this.bits = bits;
    }

    public static CpuSet of(int... cpus) {
        BitSet bits = new BitSet();
        Arrays.stream(cpus).forEach(bits::set);
        return new CpuSet(bits);
    }

    public static CpuSet of(Collection<Integer> cpus) {
        return of(cpus.stream().mapToInt(Integer::intValue).toArray());
    }

    /** Returns the cpus from {@code first} to {@code last}, both included. */
    public static CpuSet range(int first, int last) {
        return of(IntStream.rangeClosed(first, last).toArray());
    }

    /**
     * Parses the kernel's list form: numbers and ranges, separated by commas; blank is the empty set.
     *
     * @throws IllegalArgumentException if {@code list} is not of that form
     */
    public static CpuSet parse(String list) {
        BitSet bits = new BitSet();
        for (String part : list.strip().split(",", -1)) {
            String range = part.strip();
            if (range.isEmpty() && list.isBlank()) {
                break;
            }
            int dash = range.indexOf('-');
            int first = number(dash < 0 ? range : range.substring(0, dash), list);
            int last = dash < 0 ? first : number(range.substring(dash + 1), list);
            if (last < first) {
                throw new IllegalArgumentException("not a list of cpus: " + list);
            }
            bits.set(first, last + 1);
        }
        return new CpuSet(bits);
    }

    private static int number(String digits, String list) {
        if (!digits.matches("[0-9]{1,4}") || Integer.parseInt(digits) > MAX_NUMBER) {
            throw new IllegalArgumentException("not a list of cpus: " + list);
        }
        return Integer.parseInt(digits);
    }

    public boolean contains(int cpu) {
        return bits.get(cpu);
    }

    public boolean isEmpty() {
        return bits.isEmpty();
    }

    public int size() {
        return bits.cardinality();
    }

    public IntStream stream() {
        return bits.stream();
    }

    public List<Integer> toList() {
        return bits.stream().boxed().toList();
    }

    public CpuSet union(CpuSet other) {
        BitSet both = (BitSet) bits.clone();
        both.or(other.bits);
        return new CpuSet(both);
    }

    public CpuSet intersection(CpuSet other) {
        BitSet common = (BitSet) bits.clone();
        common.and(other.bits);
        return new CpuSet(common);
    }

    public CpuSet minus(CpuSet other) {
        BitSet rest = (BitSet) bits.clone();
        rest.andNot(other.bits);
        return new CpuSet(rest);
    }

    public boolean intersects(CpuSet other) {
        return bits.intersects(other.bits);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof CpuSet set && bits.equals(set.bits);
    }

    @Override
    public int hashCode() {
        return bits.hashCode();
    }

    /** Returns the kernel's list form. */
    @Override
    public String toString() {
        return IntStream.iterate(
                        bits.nextSetBit(0), first -> first >= 0, first -> bits.nextSetBit(bits.nextClearBit(first)))
                .mapToObj(first -> {
                    int last = bits.nextClearBit(first) - 1;
                    return first == last ? Integer.toString(first) : first + "-" + last;
                })
                .collect(Collectors.joining(","));
    }
}
