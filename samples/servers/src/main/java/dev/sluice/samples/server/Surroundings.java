package dev.sluice.samples.server;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.nio.channels.WritableByteChannel;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.IFactory;

/**
 * The parts of its process that a sample uses. A test replaces them, and so runs samples in its own process. A
 * {@linkplain #factory() factory} gives it to the commands and options that need it.
 *
 * @param out     takes the lines of the sample itself
 * @param console takes the lines of a {@link ConsoleDestination}, and reports errors, which {@code out} does not
 * @param signals the source of signals
 * @param system  answers whose files there are; asked when the binding has been chosen
 */
public record Surroundings(PrintStream out, WritableByteChannel console, Signals signals,
        Supplier<Platform.Os> system) {

    /**
     * The surroundings of a sample on the system that the binding calls.
     *
     * @param out     takes the lines of the sample itself
     * @param console takes the lines of a {@link ConsoleDestination}
     * @param signals the source of signals
     */
    public Surroundings(PrintStream out, WritableByteChannel console, Signals signals) {
        this(out, console, signals, () -> Bindings.current().os());
    }

    /** {@return the standard output and the signals of this process} */
    public static Surroundings ofProcess() {
        return new Surroundings(System.out, new FileOutputStream(FileDescriptor.out).getChannel(),
                Signals.OF_PROCESS);
    }

    /** {@return a factory that passes these surroundings to the constructor of each class that has one for them} */
    public IFactory factory() {
        return new IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                for (Constructor<?> each : type.getConstructors()) {
                    if (each.getParameterCount() == 1 && each.getParameterTypes()[0] == Surroundings.class) {
                        return type.cast(each.newInstance(Surroundings.this));
                    }
                }
                return CommandLine.defaultFactory().create(type);
            }
        };
    }
}
