package io.multimed.dist;

import io.multimed.cli.command.Program.Section;
import java.util.List;

/** The sections of the manual page that are not about single commands. */
final class ManualSections {
    static final List<Section> ALL = List.of(
            new Section(
                    "THE SERVICE",
                    List.of(
                            "The Debian package brings a service, multimed.service, which runs 'multimed up' as the user"
                                    + " multimed, on the directory /var/lib/multimed and with the configuration"
                                    + " /etc/multimed/multimed.toml. It is started and enabled by"
                                    + " 'systemctl enable --now multimed'.",
                            "Commands about a running instance that are given no --dir are about that of their user"
                                    + " (~/.local/share/multimed), if there is one, otherwise about that in /var/lib/multimed,"
                                    + " which only root and the service's user may control.")),
            new Section(
                    "EXIT STATUS",
                    List.of("0 if all went well, 1 after an error or a problem, 2 if the command line was wrong.")),
            new Section(
                    "ENVIRONMENT",
                    List.of(
                            "MULTIMED_JAVA_OPTS has further options for the JVM. XDG_DATA_HOME changes the default of --dir.")),
            new Section(
                    "FILES",
                    List.of(
                            "multimed.toml, the configuration: the file that comes with Multimed has every key with its default"
                                    + " in a comment.")),
            new Section("SEE ALSO", List.of("psql(1), systemctl(1)")));

    private ManualSections() {}
}
