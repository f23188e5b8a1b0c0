package io.multimed.dist;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** A kind of machine that distributions are made for. */
enum TargetPlatform {
    LINUX_AMD64("linux-amd64", "amd64", "linux-x86_64"),
    LINUX_ARM64("linux-arm64", "arm64", "linux-aarch_64");

    final String title;
    /** The name of the architecture in Debian. */
    final String debian;
    /** The end of the names of jars with native code of Netty. */
    final String netty;

    TargetPlatform(String title, String debian, String netty) {
        this.title = title;
        this.debian = debian;
        this.netty = netty;
    }

    /** Returns that of this machine. */
    static TargetPlatform present() throws DistException {
        return switch (System.getProperty("os.arch", "").toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> LINUX_AMD64;
            case "aarch64", "arm64" -> LINUX_ARM64;
            case String other ->
                throw new DistException("there are distributions for amd64 and arm64, and this machine is of " + other);
        };
    }

    /**
     * Returns the platform with that title, if a distribution for it can be made here.
     *
     * @throws DistException if it is not that of this machine: a JDK contains the runtime of its own platform alone, and the class cache is
     *     made by running the program
     */
    static TargetPlatform named(String title) throws DistException {
        for (TargetPlatform platform : values()) {
            if (platform.title.equals(title)) {
                if (platform != present()) {
                    throw new DistException("a distribution for " + title
                            + " is made on such a machine, with a JDK for it;" + " this one is " + present().title);
                }
                return platform;
            }
        }
        throw new DistException("there is no platform '" + title + "'; there are "
                + Arrays.stream(values()).map(platform -> platform.title).collect(Collectors.joining(" and ")));
    }

    /** Whether a library has code for another platform alone. */
    boolean excludes(String library) {
        return Arrays.stream(values()).anyMatch(other -> other != this && library.endsWith(other.netty + ".jar"));
    }
}
