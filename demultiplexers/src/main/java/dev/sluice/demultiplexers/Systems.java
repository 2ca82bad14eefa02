package dev.sluice.demultiplexers;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Platform;
import java.util.List;
import java.util.stream.Collectors;

/** Says on which systems something exists. */
final class Systems {

    private Systems() {
    }

    static Availability notHere(List<Platform.Os> systems) {
        return Availability.missing(systems.stream()
                .map(Platform.Os::title)
                .collect(Collectors.joining(", ", "", " only")));
    }
}
