package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Errno;
import dev.sluice.calls.Platform;
import dev.sluice.handle.SystemCallException;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;

/** Says on which systems something exists. */
final class Systems {

    private Systems() {
    }

    /** How something is opened, to find out whether it works. */
    @FunctionalInterface
    interface Opener {
        Closeable open() throws IOException;
    }

    /** Tries it out, where it is at home. */
    static Availability availability(List<Platform.Os> systems, Opener opener) {
        if (!areHere(systems)) {
            return notHere(systems);
        }
        Availability binding = Bindings.availability();
        if (!binding.usable()) {
            return binding;
        }
        try {
            opener.open().close();
            return Availability.USABLE;
        } catch (SystemCallException e) {
            return isPassing(e.error())
                    ? new Availability(true, "not right now: " + e.getMessage())
                    : Availability.missing(e.getMessage());
        } catch (IllegalArgumentException e) {
            // A wrong setting is to be mended, and must not lead to something else in silence.
            return new Availability(true, "not with this setting: " + e.getMessage());
        } catch (IOException | IllegalStateException | UnsupportedOperationException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    /** A lack that passes says nothing about the mechanism; who opens it is told by the same error. */
    private static boolean isPassing(Errno error) {
        return error == Errno.EMFILE || error == Errno.ENFILE;
    }

    static void require(String name, List<Platform.Os> systems) {
        if (!areHere(systems)) {
            throw new UnsupportedOperationException(name + ": " + notHere(systems).reason());
        }
    }

    static boolean areHere(List<Platform.Os> systems) {
        // Those of the binding: one that forwards its calls may make them to another system.
        return systems.contains(Bindings.availability().usable() ? Bindings.current().os() : Platform.CURRENT.os());
    }

    private static Availability notHere(List<Platform.Os> systems) {
        return Availability.missing(systems.stream()
                .map(Platform.Os::title)
                .collect(Collectors.joining(", ", "", " only")));
    }
}
