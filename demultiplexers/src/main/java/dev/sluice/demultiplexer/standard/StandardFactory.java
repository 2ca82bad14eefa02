package dev.sluice.demultiplexer.standard;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.demultiplexer.operation.ProvidedBuffers;
import dev.sluice.demultiplexer.spi.AsynchronousEventDemultiplexer;
import dev.sluice.demultiplexer.spi.DemultiplexerFactory;
import dev.sluice.demultiplexer.spi.DemultiplexerSettings;
import dev.sluice.demultiplexer.spi.SynchronousEventDemultiplexer;
import dev.sluice.failure.StackReserve;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Opens a demultiplexer on the systems that have its mechanism. Whether it is usable is determined by opening one.
 *
 * @param systems the systems that have the mechanism
 * @param opener  opens the demultiplexer
 * @param missing adds advice to the availability if the demultiplexer is not usable
 */
record StandardFactory(Mode mode, String name, boolean isConcurrent, int priority, int leaderFollowersPriority,
        List<Platform.Os> systems, SettingsOpener opener, UnaryOperator<Availability> missing)
        implements DemultiplexerFactory {

    /** Opens a demultiplexer. */
    @FunctionalInterface
    interface Opener<D extends Closeable> {
        D open() throws IOException;
    }

    /** Opens a demultiplexer, given the settings of the program. */
    @FunctionalInterface
    interface SettingsOpener {

        Closeable open(DemultiplexerSettings settings) throws IOException;
    }

    /** Opens a demultiplexer that has provided buffers. */
    @FunctionalInterface
    interface BufferedOpener<D extends Closeable> {
        D open(ProvidedBuffers.Size size) throws IOException;
    }

    static StandardFactory iterative(String name, int priority, List<Platform.Os> systems,
            Opener<? extends SynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.SYNCHRONOUS, name, false, priority, priority, systems,
                settings -> opener.open(), UnaryOperator.identity());
    }

    static StandardFactory concurrent(String name, int priority, int leaderFollowersPriority,
            List<Platform.Os> systems, Opener<? extends SynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.SYNCHRONOUS, name, true, priority, leaderFollowersPriority, systems,
                settings -> opener.open(), UnaryOperator.identity());
    }

    static StandardFactory singleThreaded(String name, int priority, List<Platform.Os> systems,
            BufferedOpener<? extends AsynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.ASYNCHRONOUS, name, false, priority, priority, systems,
                withBuffers(opener), UnaryOperator.identity());
    }

    static StandardFactory multiThreaded(String name, int priority, List<Platform.Os> systems,
            BufferedOpener<? extends AsynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.ASYNCHRONOUS, name, true, priority, priority, systems,
                withBuffers(opener), UnaryOperator.identity());
    }

    private static SettingsOpener withBuffers(BufferedOpener<?> opener) {
        // A wrong setting is refused before anything is opened.
        return settings -> opener.open(ProvidedBuffers.Size.of(settings));
    }

    @Override
    public boolean isForThisSystem() {
        // The system of the binding, which in a test may differ from the system that the process runs on.
        return systems.contains(Bindings.availability().usable() ? Bindings.current().os() : Platform.CURRENT.os());
    }

    private String supportedSystems() {
        return systems.stream().map(Platform.Os::title).collect(Collectors.joining(", ", "", " only"));
    }

    @Override
    public Availability availability() {
        Availability availability = tryToOpen();
        return availability.usable() ? availability : missing.apply(availability);
    }

    private Availability tryToOpen() {
        if (!isForThisSystem()) {
            return Availability.missing(supportedSystems());
        }
        var binding = Bindings.availability();
        if (!binding.usable()) {
            return Availability.missing(binding.reason());
        }
        try {
            opener.open(DemultiplexerSettings.NONE).close();
            return Availability.USABLE;
        } catch (SystemCallException e) {
            return isTemporary(Errno.valueOf(e.errorName()))
                    ? new Availability(true, "not right now: " + e.getMessage())
                    : Availability.missing(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            // A wrong setting must be corrected, instead of selecting another demultiplexer.
            return new Availability(true, "not with this setting: " + e.getMessage());
        } catch (IOException | IllegalStateException | UnsupportedOperationException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    /** A shortage of descriptors is independent of the mechanism; opening the demultiplexer throws the same error. */
    private static boolean isTemporary(Errno error) {
        return error == Errno.EMFILE || error == Errno.ENFILE;
    }

    @Override
    public SynchronousEventDemultiplexer openSynchronous(DemultiplexerSettings settings) throws IOException {
        return (SynchronousEventDemultiplexer) open(Mode.SYNCHRONOUS, settings);
    }

    @Override
    public AsynchronousEventDemultiplexer openAsynchronous(DemultiplexerSettings settings) throws IOException {
        return (AsynchronousEventDemultiplexer) open(Mode.ASYNCHRONOUS, settings);
    }

    private Closeable open(Mode wanted, DemultiplexerSettings settings) throws IOException {
        if (mode != wanted) {
            throw new UnsupportedOperationException(name + " is " + mode);
        }
        if (!isForThisSystem()) {
            throw new UnsupportedOperationException(name + ": " + supportedSystems());
        }
        // Without this stack, a constructor that fails could not close what it has opened.
        StackReserve.requireForEnd();
        return opener.open(settings);
    }
}
