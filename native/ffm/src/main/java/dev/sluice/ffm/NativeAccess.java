package dev.sluice.ffm;

import dev.sluice.calls.Availability;
import java.lang.foreign.MemorySegment;

/**
 * Determines whether this module may call native code (JEP 472). Unless the command line allows it, some versions of
 * Java refuse; others only warn, unless {@code --illegal-native-access=deny} is set.
 */
final class NativeAccess {

    private static final String OPTION = "--enable-native-access=";
    /** The module through which the other binding calls native code. */
    private static final String ALTERNATIVE = "com.sun.jna";

    private NativeAccess() {
    }

    static Availability availability() {
        Module module = NativeAccess.class.getModule();
        if (module.isNativeAccessEnabled()) {
            return Availability.USABLE;
        }
        String option = OPTION + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        if (ModuleLayer.boot().findModule(ALTERNATIVE).filter(Module::isNativeAccessEnabled).isPresent()) {
            return Availability.missing("native access is granted only to " + ALTERNATIVE + "; allow it by " + option);
        }
        try {
            // A restricted method without effect: if Java only warns, it does so here instead of at the first call.
            MemorySegment.NULL.reinterpret(1);
            return Availability.USABLE;
        } catch (IllegalCallerException e) {
            return Availability.missing("native access is denied; allow it by " + option);
        }
    }
}
