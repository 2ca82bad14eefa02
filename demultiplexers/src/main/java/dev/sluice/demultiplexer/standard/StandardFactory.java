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
 * Opens a demultiplexer on the systems that have its mechanism; whether it works there is found out by opening one.
 *
 * @param systems those that have the mechanism
 * @param opener  opens it
 * @param missing what to say of an availability where it is not usable
 */
record StandardFactory(Mode mode, String name, boolean isConcurrent, int priority, int leaderFollowersPriority,
        List<Platform.Os> systems, BufferedOpener<?> opener, UnaryOperator<Availability> missing)
        implements DemultiplexerFactory {

    /** How a demultiplexer is opened. */
    @FunctionalInterface
    interface Opener<D extends Closeable> {
        D open() throws IOException;
    }

    /** How one is opened that has provided buffers. */
    @FunctionalInterface
    interface BufferedOpener<D extends Closeable> {
        D open(ProvidedBuffers.Size size) throws IOException;
    }

    static StandardFactory iterative(String name, int priority, List<Platform.Os> systems,
            Opener<? extends SynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.SYNCHRONOUS, name, false, priority, priority, systems,
                unused -> opener.open(), UnaryOperator.identity());
    }

    static StandardFactory concurrent(String name, int priority, int leaderFollowersPriority,
            List<Platform.Os> systems, Opener<? extends SynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.SYNCHRONOUS, name, true, priority, leaderFollowersPriority, systems,
                unused -> opener.open(), UnaryOperator.identity());
    }

    static StandardFactory singleThreaded(String name, int priority, List<Platform.Os> systems,
            BufferedOpener<? extends AsynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.ASYNCHRONOUS, name, false, priority, priority, systems, opener,
                UnaryOperator.identity());
    }

    static StandardFactory multiThreaded(String name, int priority, List<Platform.Os> systems,
            BufferedOpener<? extends AsynchronousEventDemultiplexer> opener) {
        return new StandardFactory(Mode.ASYNCHRONOUS, name, true, priority, priority, systems, opener,
                UnaryOperator.identity());
    }

    @Override
    public boolean isForThisSystem() {
        // The binding's system, which in a test may be a stand-in for another one than the process runs on.
        return systems.contains(Bindings.availability().usable() ? Bindings.current().os() : Platform.CURRENT.os());
    }

    private String home() {
        return systems.stream().map(Platform.Os::title).collect(Collectors.joining(", ", "", " only"));
    }

    @Override
    public Availability availability() {
        Availability availability = look();
        return availability.usable() ? availability : missing.apply(availability);
    }

    private Availability look() {
        if (!isForThisSystem()) {
            return Availability.missing(home());
        }
        var binding = Bindings.availability();
        if (!binding.usable()) {
            return Availability.missing(binding.reason());
        }
        try {
            open(DemultiplexerSettings.NONE).close();
            return Availability.USABLE;
        } catch (SystemCallException e) {
            return isPassing(Errno.valueOf(e.errorName()))
                    ? new Availability(true, "not right now: " + e.getMessage())
                    : Availability.missing(e.getMessage());
        } catch (IllegalArgumentException e) {
            // A wrong setting must be corrected, and must not silently select something else.
            return new Availability(true, "not with this setting: " + e.getMessage());
        } catch (IOException | IllegalStateException | UnsupportedOperationException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    /** A temporary shortage says nothing about the mechanism; opening the demultiplexer raises the same error. */
    private static boolean isPassing(Errno error) {
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
            throw new UnsupportedOperationException(name + ": " + home());
        }
        // Or what had been opened so far could not be closed.
        StackReserve.requireForEnd();
        return open(settings);
    }

    private Closeable open(DemultiplexerSettings settings) throws IOException {
        // A wrong setting is found before there is anything to close.
        return opener.open(mode == Mode.ASYNCHRONOUS ? ProvidedBuffers.Size.of(settings) : null);
    }
}
