package dev.sluice.ffm;

import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;

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
        return java >= FIRST_JAVA_WITH_FFM
                ? NativeAccess.availability()
                : Availability.missing("needs Java " + FIRST_JAVA_WITH_FFM + " or later, this is Java " + java);
    }

    @Override
    public Binding load() {
        return FfmBinding.load(name());
    }
}
