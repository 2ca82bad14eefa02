package dev.sluice.jna;

import com.sun.jna.Native;
import dev.sluice.calls.Availability;
import dev.sluice.calls.Binding;
import dev.sluice.calls.BindingProvider;
import dev.sluice.calls.KqueueLibrary;
import dev.sluice.calls.Platform;
import dev.sluice.calls.Posix;

/** Provides the JNA binding if JNA's own library can be loaded. */
public final class JnaBindingProvider implements BindingProvider {

    private static final String LOADS_THE_LIBRARY = "com.sun.jna.Native";
    /** The first failure to initialize the class, because later failures only refer to it. */
    private static final String DENIED = IllegalCallerException.class.getName();
    private static final String NOT_LINKED = UnsatisfiedLinkError.class.getName();

    /** For {@link java.util.ServiceLoader}. */
    public JnaBindingProvider() {
    }

    @Override
    public String name() {
        return "jna";
    }

    @Override
    public int priority() {
        return 50;
    }

    @Override
    public Availability availability() {
        Availability platform = Platform.availability();
        if (!platform.usable()) {
            return platform;
        }
        try {
            return Native.POINTER_SIZE == Long.BYTES
                    ? Availability.USABLE
                    : Availability.missing("needs a 64-bit JVM");
        } catch (LinkageError e) {
            return Availability.missing(isThere() ? "JNA does not load: " + reason(e)
                    : "JNA is missing: add net.java.dev.jna:jna");
        }
    }

    /** Returns whether JNA is on the path. Does not refer to a JNA class, which would fail again. */
    private static boolean isThere() {
        try {
            Class.forName(LOADS_THE_LIBRARY, false, JnaBindingProvider.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /**
     * Returns the reason for a failure. The JNA class that loads JNA's library cannot be initialized if native access
     * is denied, or if there is no directory into which JNA can unpack the library and from which the system loads it.
     */
    private static String reason(Throwable failure) {
        Throwable cause = failure;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        if (cause instanceof IllegalCallerException || String.valueOf(cause.getMessage()).contains(DENIED)) {
            Module module = Native.class.getModule();
            return "native access is denied; allow it by --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        }
        String reason = cause.toString();
        return reason.contains(NOT_LINKED)
                ? reason + "; another temporary directory may help: -Djna.tmpdir=DIRECTORY" : reason;
    }

    @Override
    public Binding load() {
        boolean windows = Platform.CURRENT.os() == Platform.Os.WINDOWS;
        return new Binding(name(), Platform.CURRENT.os(), new JnaMemory(),
                windows ? null : posix(),
                Platform.CURRENT.isLinux() ? new JnaLinux() : null,
                KqueueLibrary.isPresent() ? new JnaBsd() : null,
                windows ? new JnaWindows() : null);
    }

    private static Posix posix() {
        boolean appleSilicon = Platform.CURRENT.os() == Platform.Os.MACOS
                && Platform.CURRENT.cpu() == Platform.Cpu.AARCH64;
        return appleSilicon ? new JnaVariadicPosix() : new JnaPosix();
    }
}
