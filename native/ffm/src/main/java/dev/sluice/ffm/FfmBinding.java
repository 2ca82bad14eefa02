package dev.sluice.ffm;

import dev.sluice.calls.Binding;
import dev.sluice.calls.Bsd;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;

/** Puts the binding together, apart from its provider so that an older Java never has to load these classes. */
final class FfmBinding {

    private FfmBinding() {
    }

    static Binding load(String name) {
        return new Binding(name, Platform.CURRENT.os(), new FfmMemory(),
                Platform.CURRENT.os() == Platform.Os.WINDOWS ? null : new FfmPosix(),
                Platform.CURRENT.isLinux() ? new FfmLinux() : null,
                KqueueLibrary.isThere() ? bsd() : null, null);
    }

    private static Bsd bsd() {
        try {
            return new FfmBsd();
        } catch (ExceptionInInitializerError e) {
            throw KqueueLibrary.unusable(e.getCause());
        }
    }
}
