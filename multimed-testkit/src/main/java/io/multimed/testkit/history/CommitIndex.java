package io.multimed.testkit.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The Master's commits by position, from 1; position 0 is the empty database. */
final class CommitIndex {
    static final int NOT_COMMITTED = -1;

    private final List<Commit> commits;
    private final Map<Long, Integer> positions = new HashMap<>();
    private final Map<Integer, int[]> versions = new HashMap<>();
    private final long[] sums;

    CommitIndex(List<Commit> commits) {
        this.commits = commits;
        sums = new long[commits.size() + 1];
        Map<Integer, List<Integer>> lists = new HashMap<>();
        for (int position = 1; position <= commits.size(); position++) {
            Commit commit = commits.get(position - 1);
            positions.putIfAbsent(commit.id(), position);
            sums[position] = sums[position - 1] + commit.id();
            for (int register : commit.registers()) {
                lists.computeIfAbsent(register, r -> new ArrayList<>(List.of(0)))
                        .add(position);
            }
        }
        lists.forEach((register, list) ->
                versions.put(register, list.stream().mapToInt(i -> i).toArray()));
    }

    int size() {
        return commits.size();
    }

    Commit at(int position) {
        return commits.get(position - 1);
    }

    /** Returns the first position of a transaction, 0 for the number 0, or {@link #NOT_COMMITTED}. */
    int position(long id) {
        return id == 0 ? 0 : positions.getOrDefault(id, NOT_COMMITTED);
    }

    /** Returns the sum of the numbers of the first so many transactions. */
    long sum(int position) {
        return sums[position];
    }

    /** Returns the positions at which the register was written, after a leading 0. */
    int[] versions(int register) {
        return versions.getOrDefault(register, new int[] {0});
    }

    /** Whether the transaction at the position wrote the register; true at 0, which stands for its initial value. */
    boolean wrote(int position, int register) {
        return position == 0 || at(position).registers().contains(register);
    }

    /** Returns the first position after this one at which the register was written, or {@link Integer#MAX_VALUE}. */
    int next(int register, int position) {
        int[] all = versions(register);
        int at = Arrays.binarySearch(all, position + 1);
        int index = at >= 0 ? at : -at - 1;
        return index < all.length ? all[index] : Integer.MAX_VALUE;
    }

    /** Returns the last position before this one at which the register was written. */
    int previous(int register, int position) {
        int[] all = versions(register);
        int at = Arrays.binarySearch(all, position);
        int index = at >= 0 ? at - 1 : -at - 2;
        return all[index];
    }
}
