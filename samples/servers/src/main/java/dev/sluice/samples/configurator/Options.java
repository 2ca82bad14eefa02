package dev.sluice.samples.configurator;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Options from a command line, and perhaps from a file.
 *
 * @param <T>     the command whose options they are
 * @param command has all of them
 * @param file    where some of them have been read; null if there is none
 * @param lines   the numbers of the lines of the file, by the names of the options that stand there
 */
public record Options<T>(T command, Path file, Map<String, Integer> lines) {

    /**
     * Options from a command line alone.
     *
     * @param <T>     the command whose options they are
     * @param command has all of them
     * @return the options
     */
    public static <T> Options<T> of(T command) {
        return new Options<>(command, null, Map.of());
    }

    /**
     * Reports that one of the options cannot be used.
     *
     * @param option  its name; null if the problem is not with a single option
     * @param problem the problem
     * @param cause   the exception
     * @return the exception, which names the line if the option is in the file
     */
    public ConfigurationException problem(String option, String problem, Throwable cause) {
        // An empty immutable map does not accept null.
        Integer line = option == null ? null : lines.get(option);
        String place = file == null ? "" : line == null ? file + ": " : ConfigurationFile.place(file, line);
        return new ConfigurationException(List.of(place + problem), cause);
    }
}
