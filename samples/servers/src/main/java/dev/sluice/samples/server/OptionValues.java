package dev.sluice.samples.server;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Parses the values of options, for all commands, with uniform error messages. */
public final class OptionValues {

    /** Reads seconds: for an option of a class that a command line without {@link #register} may have, too. */
    static final class Seconds implements ITypeConverter<Duration> {

        @Override
        public Duration convert(String value) {
            return seconds(value);
        }
    }

    private OptionValues() {
    }

    /**
     * Lets a command line and its commands take values in this form.
     *
     * @param commandLine the command line
     */
    public static void register(CommandLine commandLine) {
        commandLine.registerConverter(int.class, OptionValues::wholeNumber);
        commandLine.registerConverter(Integer.class, OptionValues::wholeNumber);
        commandLine.registerConverter(double.class, OptionValues::number);
        commandLine.registerConverter(Duration.class, OptionValues::seconds);
        registerNames(commandLine, commandLine);
        commandLine.getSubcommands().values().forEach(command -> registerNames(commandLine, command));
    }

    private static void registerNames(CommandLine commandLine, CommandLine command) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            Class<?> type = option.auxiliaryTypes()[0];
            if (type.isEnum()) {
                registerNames(commandLine, type);
            }
        }
    }

    private static <T> void registerNames(CommandLine commandLine, Class<T> type) {
        commandLine.registerConverter(type, value -> named(type, value));
    }

    /**
     * Finds a constant by the name that it has on command lines.
     *
     * @param type of an enumeration
     * @param name such as {@code thread-pool}
     * @param <T>  the type
     * @return the constant
     * @throws TypeConversionException if there is none
     */
    public static <T> T named(Class<T> type, String name) {
        List<T> constants = Arrays.asList(type.getEnumConstants());
        return constants.stream().filter(each -> name(each).equalsIgnoreCase(name)).findFirst()
                .orElseThrow(() -> new TypeConversionException("expected one of "
                        + String.join(", ", constants.stream().map(OptionValues::name).toList()) + ", but was '"
                        + name + "'"));
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static int wholeNumber(String value) {
        if (!value.matches("[+-]?\\d+")) {
            throw new TypeConversionException("'" + value + "' is not an integer");
        }
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException(value + " is out of range");
        }
    }

    private static double number(String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException e) {
            throw new TypeConversionException("'" + value + "' is not a number");
        }
    }

    /**
     * Writes a time as options do.
     *
     * @param time the time
     * @return the number of seconds, with at most three decimals
     */
    public static String inSeconds(Duration time) {
        return new DecimalFormat("0.###", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(time.toNanos() / (double) TimeUnit.SECONDS.toNanos(1));
    }

    private static Duration seconds(String value) {
        double seconds = number(value);
        if (!Double.isFinite(seconds)) {
            throw new TypeConversionException("'" + value + "' is not a number");
        }
        return Duration.ofNanos(Math.round(seconds * TimeUnit.SECONDS.toNanos(1)));
    }
}
