package dev.sluice.ffm;

import dev.sluice.calls.Binding;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;

/** Creates the binding. Separate from its provider, so that an older Java never has to load these classes. */
final class FfmBinding {

    private FfmBinding() {
    }

    static Binding load(String name) {
        boolean windows = Platform.CURRENT.os() == Platform.Os.WINDOWS;
        return new Binding(name, Platform.CURRENT.os(), new FfmMemory(),
                windows ? null : new FfmPosix(),
                Platform.CURRENT.isLinux() ? new FfmLinux() : null,
                KqueueLibrary.isPresent() ? new FfmBsd() : null,
                windows ? new FfmWindows() : null);
    }
}
