package dev.sluice.samples.configurator;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.sluice.samples.server.FileProblem;
import dev.sluice.samples.server.OptionValues;
import dev.sluice.samples.server.RegularFile;
import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/**
 * Options in a file, each in a line {@code name = value}, which add to those of the command line. Lines that are blank
 * or begin with {@code #} are ignored. The content is not cached: each {@link #read} reads the file again. For one
 * thread at a time.
 *
 * @param <T> the command whose options they are
 */
public final class ConfigurationFile<T> implements ConfigurationSource<T> {

    private static final int LARGEST = 1 << 20;
    private static final int LONGEST_LINE = 4096;

    /**
     * Checks options.
     *
     * @param <T> the command whose options they are
     */
    @FunctionalInterface
    public interface Check<T> {

        /**
         * Checks each option separately.
         *
         * @param options of the command line and the file; also those of the command line with a single one of the file
         * @param inFile  the names of the options in the file
         * @throws ParameterException if one is wrong, or not allowed in the file
         */
        void apply(T options, Set<String> inFile);
    }

    /** A line; its key is that of no other one: the option, and the first word of its value if there may be several. */
    private record Line(int number, String option, String key, String argument) {
    }

    private final Path file;
    private final CommandSpec running;
    private final List<String> given;
    private final Supplier<T> fresh;
    private final Check<T> check;

    /**
     * Creates the reader of a file.
     *
     * @param file    the file to read
     * @param running the command as it was started; its options that may be in the file are marked as {@link
     *                Changeable}
     * @param fresh   makes such a command with no options given
     * @param check   of the options of each line
     */
    public ConfigurationFile(Path file, CommandSpec running, Supplier<T> fresh, Check<T> check) {
        this.file = file;
        this.running = running;
        this.fresh = fresh;
        this.check = check;
        this.given = running.commandLine().getParseResult().matchedOptions().stream()
                .flatMap(ConfigurationFile::arguments).toList();
    }

    private static Stream<String> arguments(OptionSpec option) {
        return option.arity().max() == 0 ? Stream.of(option.longestName())
                : option.originalStringValues().stream().map(value -> option.longestName() + "=" + value);
    }

    @Override
    public Options<T> read() throws ConfigurationException {
        Map<String, Line> lines = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        int number = 0;
        for (ByteBuffer text : split(content())) {
            number++;
            try {
                take(number, text, lines);
            } catch (CharacterCodingException e) {
                problems.add(place(number) + "not in UTF-8");
            } catch (ParameterException | IllegalArgumentException e) {
                problems.add(place(number) + e.getMessage());
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems, null);
        }
        Map<String, Integer> numbers = new HashMap<>();
        lines.forEach((key, line) -> numbers.put(key, line.number()));
        T command = parse(lines.values());
        check.apply(command, lines.values().stream().map(Line::option).collect(Collectors.toSet()));
        return new Options<>(command, file, numbers);
    }

    private String place(int line) {
        return place(file, line);
    }

    static String place(Path file, int line) {
        return file + ":" + line + ": ";
    }

    private byte[] content() throws ConfigurationException {
        try {
            return RegularFile.read(file, LARGEST);
        } catch (IOException e) {
            throw new ConfigurationException(List.of(FileProblem.describe(e)), e);
        }
    }

    private static List<ByteBuffer> split(byte[] content) {
        List<ByteBuffer> lines = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < content.length; i++) {
            if (content[i] == '\n') {
                lines.add(ByteBuffer.wrap(content, start, i - start));
                start = i + 1;
            }
        }
        if (start < content.length) {
            lines.add(ByteBuffer.wrap(content, start, content.length - start));
        }
        return lines;
    }

    private void take(int number, ByteBuffer octets, Map<String, Line> lines) throws CharacterCodingException {
        if (octets.remaining() > LONGEST_LINE) {
            throw new IllegalArgumentException("longer than " + LONGEST_LINE + " bytes");
        }
        String text = UTF_8.newDecoder().decode(octets).toString().strip();
        if (text.isEmpty() || text.startsWith("#")) {
            return;
        }
        if (text.chars().anyMatch(each -> Character.isISOControl(each) && each != '\t')) {
            throw new IllegalArgumentException("has a control character");
        }
        int sign = text.indexOf('=');
        if (sign < 0) {
            throw new IllegalArgumentException("must be 'name = value', not '" + text + "'");
        }
        Line line = line(number, text.substring(0, sign).strip(), text.substring(sign + 1).strip());
        Line before = lines.putIfAbsent(line.key(), line);
        if (before != null) {
            throw new IllegalArgumentException(line.key() + " is in line " + before.number() + " already");
        }
        check.apply(parse(List.of(line)), Set.of(line.option()));
    }

    private Line line(int number, String name, String value) {
        OptionSpec option = running.optionsMap().get("--" + name);
        if (option == null) {
            throw new IllegalArgumentException("there is no option '" + name + "'");
        }
        String called = option.longestName();
        if (!(option.userObject() instanceof Field field) || !field.isAnnotationPresent(Changeable.class)) {
            throw new IllegalArgumentException(called + " cannot change while the server runs: set it on the command "
                    + "line");
        }
        if (running.commandLine().getParseResult().hasMatchedOption(called)) {
            throw new IllegalArgumentException(called + " is on the command line already");
        }
        boolean repeats = option.isMultiValue() && option.splitRegex().isEmpty();
        return new Line(number, called, repeats ? called + " " + value.split("\\s", 2)[0] : called,
                option.arity().max() > 0 ? called + "=" + value : flag(called, value));
    }

    /** {@return the argument for an option that has no value on command lines: none, or the option itself} */
    private static String flag(String option, String value) {
        return switch (value) {
            case "true" -> option;
            case "false" -> null;
            default -> throw new IllegalArgumentException(option + " must be true or false, not '" + value + "'");
        };
    }

    private T parse(Iterable<Line> lines) {
        List<String> arguments = new ArrayList<>(given);
        for (Line line : lines) {
            if (line.argument() != null) {
                arguments.add(line.argument());
            }
        }
        T command = fresh.get();
        CommandLine commandLine = new CommandLine(command, running.commandLine().getFactory());
        OptionValues.register(commandLine);
        commandLine.parseArgs(arguments.toArray(String[]::new));
        return command;
    }
}
