package dev.sluice.samples.configurator;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Thrown if a configuration cannot be applied. */
public final class ConfigurationException extends IOException {

    private static final long serialVersionUID = 1;
    private static final int MAX_SHOWN = 10;

    private final transient List<String> problems;

    /**
     * Creates the exception.
     *
     * @param problems what is wrong, a line for each, with the place where it is; at least one
     * @param cause    the exception; null if nothing was
     */
    public ConfigurationException(List<String> problems, Throwable cause) {
        super(String.join("; ", shown(problems)), cause);
        this.problems = shown(problems);
    }

    private static List<String> shown(List<String> problems) {
        int more = problems.size() - MAX_SHOWN;
        return more <= 0 ? List.copyOf(problems) : Stream.concat(problems.stream().limit(MAX_SHOWN),
                Stream.of("and so on, " + more + " more")).toList();
    }

    /** {@return the problems, a line for each, with its location} */
    public List<String> problems() {
        return problems;
    }
}
