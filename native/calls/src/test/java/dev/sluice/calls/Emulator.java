package dev.sluice.calls;

import static org.junit.jupiter.api.Assumptions.abort;

import java.nio.ByteOrder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * The program that runs this JVM, if it takes one: qemu-user, because the JVM is one of another processor, or the
 * loader of another C library, which changes nothing for the tests. What qemu-user does differently from the kernel is
 * named beside each test that notices.
 */
public final class Emulator {

    /** System property with what the command that runs this JVM begins with, a line for each word. */
    public static final String PROPERTY = "sluice.emulator";

    private static final List<String> COMMAND = System.getProperty(PROPERTY, "").lines().toList();
    private static final boolean EMULATES = isEmulator(COMMAND);
    /** Factor by which everything may be slower. */
    private static final int SLOWNESS = 10;

    private Emulator() {
    }

    /** {@return what a command that runs this JVM's {@code java} begins with} */
    public static List<String> command() {
        return COMMAND;
    }

    /** {@return whether a command that begins so is run by qemu-user} */
    public static boolean isEmulator(List<String> command) {
        return !command.isEmpty() && Path.of(command.get(0)).getFileName().toString().startsWith("qemu-");
    }

    /** {@return how long to wait for what must happen, if it is this on the busiest machine} */
    public static Duration patience(Duration limit) {
        return patience(limit, EMULATES);
    }

    /** {@return the same for what runs under the emulator, or not} */
    public static Duration patience(Duration limit, boolean emulated) {
        return emulated ? limit.multipliedBy(SLOWNESS) : limit;
    }

    /** Ends the test here if it runs under the emulator, because of what that does instead. */
    public static void deviates(String how) {
        if (EMULATES) {
            abort("qemu-user " + how);
        }
    }

    /** Ends the test here under an emulator of a big-endian machine, if it is about control data of UDP. */
    public static void deviatesInControlData() {
        if (ByteOrder.nativeOrder() == ByteOrder.BIG_ENDIAN) {
            deviates("hands control data that it does not know on in the wrong byte order");
        }
    }
}
