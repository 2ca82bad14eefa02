package dev.sluice.handle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Determines whether a mechanism must be able to register the memory that a test uses. */
public final class LockableMemory {

    /** The kernel from which on buffers are registered one by one. */
    private static final int MAJOR = 5;
    private static final int MINOR = 19;
    /** Far more than a test registers, because all processes of a user share the limit. */
    private static final long ENOUGH = 4 << 20;
    private static final Set<String> MECHANISMS = Set.of("io_uring", "io_uring-multi-threaded");

    private LockableMemory() {
    }

    /** {@return whether it registers memory here, since the system and its limits let it} */
    public static boolean isEnoughFor(String mechanism) throws IOException {
        return MECHANISMS.contains(mechanism) && LinuxVersion.isAtLeast(MAJOR, MINOR) && limit() >= ENOUGH;
    }

    /** {@return the bytes that an unprivileged process may lock} */
    private static long limit() throws IOException {
        Pattern line = Pattern.compile("Max locked memory +(\\d+|unlimited) .*");
        for (String each : Files.readAllLines(Path.of("/proc/self/limits"))) {
            Matcher limit = line.matcher(each);
            if (limit.matches()) {
                return limit.group(1).equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(limit.group(1));
            }
        }
        return 0;
    }
}
