package dev.sluice.ffm;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.Platform;

/** Offers the FFM binding if this Java has the API. The only class here that an older Java can load. */
public final class FfmBindingProvider implements BindingProvider {

    private static final int FIRST_JAVA_WITH_FFM = 22;

    /** For {@link java.util.ServiceLoader}. */
    public FfmBindingProvider() {
    }

    @Override
    public String name() {
        return "ffm";
    }

    @Override
    public int priority() {
        return 100;
    }

    @Override
    public Availability availability() {
        int java = Runtime.version().feature();
        if (java < FIRST_JAVA_WITH_FFM) {
            return Availability.missing("needs Java " + FIRST_JAVA_WITH_FFM + " or later, this is Java " + java);
        }
        Availability platform = Platform.availability();
        return platform.usable() ? NativeAccess.availability() : platform;
    }

    @Override
    public Binding load() {
        return FfmBinding.load(name());
    }
}
