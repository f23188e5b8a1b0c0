package io.multimed.dist;

import io.multimed.cli.command.Arguments;
import io.multimed.cli.command.Subcommand;
import io.multimed.core.spi.EngineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.commons.cli.Option;
import org.apache.commons.cli.ParseException;

/** {@code ./multimed dist}. */
final class DistCommand {
    /** At this level zstd needs a minute on one core and stays small; higher ones need more memory to be read. */
    private static final int STANDARD_LEVEL = 19;

    private static final int HIGHEST_LEVEL = 22;
    private static final double MB = 1e6;

    private static final Option OUTPUT =
            Arguments.value("output", "DIR", "Directory for what is made (default: target/packages of the checkout).");
    private static final Option PLATFORM = Arguments.value(
            "platform",
            "linux-amd64|linux-arm64",
            "The machines that it is for (default: such as this one; no others can be chosen here).");
    private static final Option LEVEL =
            Arguments.value("level", "N", "Level of compression of zstd, 1 to 22 (default: 19).");

    static final Subcommand COMMAND = new Subcommand(
            "dist",
            "Make a self-contained directory, an archive of it (.tar.zst), and a Debian package."
                    + "\nThey need no JDK and no Maven where they are installed, and this command needs no network.",
            List.of(OUTPUT, PLATFORM, LEVEL),
            DistCommand::run);

    private DistCommand() {}

    private static int run(Arguments given)
            throws ParseException, DistException, EngineException, InterruptedException, IOException {
        int level = given.number(LEVEL).orElse(STANDARD_LEVEL);
        if (level < 1 || level > HIGHEST_LEVEL) {
            throw new ParseException("--level: must be from 1 to " + HIGHEST_LEVEL);
        }
        Optional<String> named = given.text(PLATFORM);
        TargetPlatform platform = named.isPresent() ? TargetPlatform.named(named.get()) : TargetPlatform.present();
        DistributionSource source = DistributionSource.named(System.getenv());
        Path output = given.path(OUTPUT)
                .orElse(source.checkout().resolve("target/packages"))
                .toAbsolutePath()
                .normalize();
        Distribution made = Distribution.make(source, platform, output, DistCommand::say);
        System.out.println(made.directory());
        say("compressing the archive");
        print(made.archive(level));
        say("compressing the Debian package");
        print(DebianPackage.make(made, level));
        return 0;
    }

    private static void say(String step) {
        System.err.println("multimed: " + step);
    }

    private static void print(Path file) throws IOException {
        System.out.println(file + String.format(Locale.ROOT, "  %.1f MB", Files.size(file) / MB));
    }
}
