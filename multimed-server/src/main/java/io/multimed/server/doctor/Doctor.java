package io.multimed.server.doctor;

import io.multimed.model.plan.NodePlan;
import io.multimed.model.plan.Storage;
import io.multimed.model.plan.SystemModel;
import io.multimed.server.config.Configuration;
import io.multimed.server.config.ListenAddress;
import io.multimed.server.home.Home;
import io.multimed.server.startup.StartException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Examines a machine, for one instance on it.
 *
 * @param running whether the instance runs: then its ports are its own
 */
public record Doctor(
        ExaminedMachine machine, Configuration configuration, SystemModel model, Home home, boolean running) {
    private static final long MB = 1L << 20;
    private static final long GB = 1L << 30;

    /** A new cluster, with its log. */
    private static final long SMALLEST_COPY = 64 * MB;

    /** Descriptors of the middleware and of engines besides those of clients. */
    private static final long OWN_DESCRIPTORS = 1024;

    private static final long FEWEST_PROCESSES = 1024;
    private static final long SHORTEST_QUEUE = 1024;
    private static final long MOST_SWAPPINESS = 10;
    /** From this memory on, tables of small pages cost a Master noticeably. */
    private static final long LARGE_MASTER = 16 * GB;

    private static final List<String> FAST_CLOCKS =
            List.of("tsc", "kvm-clock", "arch_sys_counter", "hyperv_clocksource_tsc_page", "xen");

    private static final Pattern LIMIT = Pattern.compile("(\\S+)\\s+(\\S+)(\\s+\\S+)?\\s*");

    /** Returns all findings, in the order in which a start would come upon them. */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(kernel());
        findings.add(clock());
        findings.add(directory());
        findings.add(
                port("endpoint.listen", Optional.of(configuration.endpoint().listen()), true));
        findings.add(port("metrics.listen", configuration.metrics(), false));
        findings.add(memory());
        findings.add(memoryDirectory());
        findings.add(hugePages());
        findings.add(swap());
        findings.add(numa());
        findings.add(descriptors());
        findings.add(processes());
        findings.add(queue());
        findings.add(governor());
        return findings;
    }

    private Finding kernel() {
        String release = machine.text("/proc/sys/kernel/osrelease").orElse("unknown");
        Matcher numbers = Pattern.compile("(\\d+)\\..*").matcher(release);
        return numbers.matches() && Integer.parseInt(numbers.group(1)) < 5
                ? Finding.warning(
                        "kernel",
                        release + " is older than those Multimed was tried with",
                        "install Linux 5.10 or newer")
                : Finding.ok("kernel", release);
    }

    private Finding clock() {
        String at = "/sys/devices/system/clocksource/clocksource0/";
        Optional<String> source = machine.text(at + "current_clocksource");
        if (source.isEmpty()) {
            return Finding.ok("clock", "the kernel does not tell its source");
        }
        if (FAST_CLOCKS.contains(source.get())) {
            return Finding.ok("clock", source.get());
        }
        Optional<String> faster = FAST_CLOCKS.stream()
                .filter(clock -> List.of(machine.text(at + "available_clocksource")
                                .orElse("")
                                .split("\\s+"))
                        .contains(clock))
                .findFirst();
        return Finding.warning(
                "clock",
                source.get() + " is slow to read, and every read of the time costs microseconds",
                faster.map(clock -> "echo " + clock + " > " + at + "current_clocksource")
                        .orElse("choose a machine with a steady time stamp counter"));
    }

    private Finding directory() {
        if (running) {
            return Finding.ok("directory", home.directory() + ", whose instance runs");
        }
        try {
            home.check();
        } catch (StartException e) {
            return Finding.problem(
                    "directory", String.valueOf(e.getMessage()), "choose another --dir, or change its owner");
        }
        OptionalLong room = machine.room(home.directory());
        return room.isPresent() && room.getAsLong() < GB
                ? Finding.warning(
                        "directory",
                        "there is room for " + megabytes(room.getAsLong()) + " more in " + home.directory(),
                        "make room, or choose another --dir: the Master's log alone may take as much")
                : Finding.ok("directory", home.directory().toString());
    }

    private Finding port(String key, Optional<ListenAddress> address, boolean needed) {
        if (address.isEmpty()) {
            return Finding.ok(key, "none");
        }
        Optional<String> obstacle = running ? Optional.empty() : machine.obstacle(address.get());
        if (obstacle.isEmpty()) {
            // The instance may have been started with another address than that of the configuration.
            return Finding.ok(key, running ? "not looked at: the instance runs" : address.get() + " is free");
        }
        String text = "cannot listen on " + address.get() + ": " + obstacle.get();
        String remedy = "set " + key + " to another address, or see who has it: ss -ltnp 'sport = :"
                + address.get().port() + "'";
        return needed ? Finding.problem(key, text, remedy) : Finding.warning(key, text, remedy);
    }

    private Finding memory() {
        long planned = model.master().memoryBytes();
        for (NodePlan satellite : model.satellites()) {
            planned += satellite.memoryBytes();
        }
        long available = machine.availableMemory();
        String text = megabytes(planned) + " planned for engines, " + megabytes(available) + " available";
        return available < planned / 2 && !running
                ? Finding.warning(
                        "memory", text, "end other programs, or plan fewer: --satellites, [nodes.master] memory")
                : Finding.ok("memory", text);
    }

    private Finding memoryDirectory() {
        String directory = configuration.satellites().memoryDirectory().toString();
        long copies = model.satellites().stream()
                .filter(satellite -> satellite.storage() == Storage.MEMORY)
                .count();
        if (copies == 0) {
            return Finding.ok(directory, "not needed: no Satellite is kept in memory");
        }
        OptionalLong room = machine.room(configuration.satellites().memoryDirectory());
        long needed = copies * Math.max(SMALLEST_COPY, machine.size(home.data()));
        String text = copies + " copies of " + megabytes(needed / copies);
        if (room.isEmpty() || running || room.getAsLong() >= needed) {
            return Finding.ok(directory, text + (room.isPresent() ? ", room for " + megabytes(room.getAsLong()) : ""));
        }
        return Finding.warning(
                directory,
                text + ", but room for " + megabytes(room.getAsLong()) + ": Satellites would be kept on disk",
                "mount -o remount,size=" + (needed * 2 / GB + 1) + "G " + directory
                        + " (a container: --shm-size), or plan fewer Satellites");
    }

    private Finding hugePages() {
        String enabled = chosen(
                machine.text("/sys/kernel/mm/transparent_hugepage/enabled").orElse(""));
        long reserved = meminfo("HugePages_Total:").orElse(0);
        if (model.master().memoryBytes() >= LARGE_MASTER && reserved == 0) {
            long pages = model.master().memoryBytes() / 4 / (2 * MB);
            return Finding.warning(
                    "huge pages",
                    "none are reserved for the Master's shared buffers",
                    "sysctl vm.nr_hugepages=" + (pages + pages / 10));
        }
        return Finding.ok(
                "huge pages", reserved + " reserved" + (enabled.isEmpty() ? "" : ", transparent ones: " + enabled));
    }

    /** Returns the word in brackets. */
    private static String chosen(String choices) {
        Matcher matcher = Pattern.compile(".*\\[(\\w+)].*").matcher(choices);
        return matcher.matches() ? matcher.group(1) : "";
    }

    private Finding swap() {
        long kilobytes = meminfo("SwapTotal:").orElse(0);
        long swappiness = number(machine.text("/proc/sys/vm/swappiness")).orElse(0);
        return kilobytes > 0 && swappiness > MOST_SWAPPINESS
                ? Finding.warning(
                        "swap",
                        "with vm.swappiness = " + swappiness + " the kernel may put Satellites in memory onto the disk",
                        "sysctl vm.swappiness=1")
                : Finding.ok("swap", kilobytes == 0 ? "none" : "vm.swappiness = " + swappiness);
    }

    private Finding numa() {
        int nodes = model.topology().numaNodes().size();
        boolean balances =
                machine.text("/proc/sys/kernel/numa_balancing").orElse("0").equals("1");
        return nodes > 1 && balances
                ? Finding.warning(
                        "NUMA",
                        nodes + " nodes, and the kernel moves memory that Multimed has placed",
                        "sysctl kernel.numa_balancing=0")
                : Finding.ok("NUMA", nodes == 1 ? "one node" : nodes + " nodes");
    }

    private Finding descriptors() {
        long needed = configuration.endpoint().maxClients() + OWN_DESCRIPTORS;
        long hard = limit("Max open files", 1);
        String text = "at most " + (hard == Long.MAX_VALUE ? "any number" : hard)
                + ", needed for endpoint.max_clients: " + needed;
        if (hard >= needed) {
            return Finding.ok("open files", text);
        }
        String remedy =
                "ulimit -Hn " + needed + " (a service: LimitNOFILE=" + needed + "), or lower endpoint.max_clients";
        return hard < OWN_DESCRIPTORS
                ? Finding.problem("open files", text, remedy)
                : Finding.warning("open files", text, remedy);
    }

    private Finding processes() {
        long soft = limit("Max processes", 0);
        return soft < FEWEST_PROCESSES
                ? Finding.warning(
                        "processes",
                        "at most " + soft + " processes and threads",
                        "ulimit -u 8192 (a service: TasksMax=8192)")
                : Finding.ok("processes", soft == Long.MAX_VALUE ? "any number" : "at most " + soft);
    }

    private Finding queue() {
        long most = number(machine.text("/proc/sys/net/core/somaxconn")).orElse(SHORTEST_QUEUE);
        return most < SHORTEST_QUEUE
                ? Finding.warning(
                        "connections",
                        "only " + most + " clients may connect at one moment",
                        "sysctl net.core.somaxconn=4096")
                : Finding.ok("connections", most + " at one moment");
    }

    private Finding governor() {
        Optional<String> governor = machine.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
        return governor.filter("powersave"::equals).isPresent()
                        && machine.text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver")
                                .filter(driver -> driver.contains("pstate"))
                                .isEmpty()
                ? Finding.warning(
                        "frequency",
                        "the governor powersave keeps the cores at their lowest frequency",
                        "cpupower frequency-set -g performance")
                : Finding.ok("frequency", governor.orElse("not governed here"));
    }

    /** Returns a limit of this process from /proc/self/limits. */
    private long limit(String name, int column) {
        for (String line : machine.text("/proc/self/limits").orElse("").lines().toList()) {
            if (line.startsWith(name)) {
                Matcher values = LIMIT.matcher(line.substring(name.length()).strip());
                if (values.matches()) {
                    return number(Optional.of(values.group(column + 1))).orElse(Long.MAX_VALUE);
                }
            }
        }
        return Long.MAX_VALUE;
    }

    private OptionalLong meminfo(String key) {
        for (String line : machine.text("/proc/meminfo").orElse("").lines().toList()) {
            if (line.startsWith(key)) {
                return number(Optional.of(
                        line.substring(key.length()).replace("kB", "").strip()));
            }
        }
        return OptionalLong.empty();
    }

    private static OptionalLong number(Optional<String> text) {
        return text.filter(digits -> digits.matches("[0-9]{1,18}")).stream()
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    private static String megabytes(long bytes) {
        return bytes / MB + " MB";
    }
}
