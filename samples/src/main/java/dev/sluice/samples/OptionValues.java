package dev.sluice.samples;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** The values of options, of all commands alike: what they may look like, and what is said of those that cannot be. */
final class OptionValues {

    private OptionValues() {
    }

    /** Lets a command line and its commands take values in this form. */
    static void register(CommandLine commandLine) {
        commandLine.registerConverter(int.class, OptionValues::wholeNumber);
        commandLine.registerConverter(Integer.class, OptionValues::wholeNumber);
        commandLine.registerConverter(double.class, OptionValues::number);
        for (CommandLine command : commandLine.getSubcommands().values()) {
            for (OptionSpec option : command.getCommandSpec().options()) {
                Class<?> type = option.auxiliaryTypes()[0];
                if (type.isEnum()) {
                    registerNames(commandLine, type);
                }
            }
        }
    }

    private static <T> void registerNames(CommandLine commandLine, Class<T> type) {
        List<T> constants = Arrays.asList(type.getEnumConstants());
        ITypeConverter<T> byName = value -> constants.stream().filter(each -> name(each).equalsIgnoreCase(value))
                .findFirst().orElseThrow(() -> new TypeConversionException("expected one of "
                        + String.join(", ", constants.stream().map(OptionValues::name).toList()) + ", but was '"
                        + value + "'"));
        commandLine.registerConverter(type, byName);
    }

    private static String name(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static int wholeNumber(String value) {
        if (!value.matches("[+-]?\\d+")) {
            throw new TypeConversionException("'" + value + "' is no whole number");
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
            throw new TypeConversionException("'" + value + "' is no number");
        }
    }
}
