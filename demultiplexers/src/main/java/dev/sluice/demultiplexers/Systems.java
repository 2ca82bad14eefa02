package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Bindings;
import dev.sluice.calls.Platform;
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
        try {
            opener.open().close();
            return Availability.USABLE;
        } catch (IOException | IllegalStateException | UnsupportedOperationException e) {
            return Availability.missing(String.valueOf(e.getMessage()));
        }
    }

    static void require(String name, List<Platform.Os> systems) {
        if (!areHere(systems)) {
            throw new UnsupportedOperationException(name + ": " + notHere(systems).reason());
        }
    }

    static boolean areHere(List<Platform.Os> systems) {
        return systems.contains(Bindings.current().os());
    }

    private static Availability notHere(List<Platform.Os> systems) {
        return Availability.missing(systems.stream()
                .map(Platform.Os::title)
                .collect(Collectors.joining(", ", "", " only")));
    }
}
