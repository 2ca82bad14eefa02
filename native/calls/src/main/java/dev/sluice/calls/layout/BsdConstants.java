package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/**
 * Constants that only some of the systems descended from BSD have; {@link PerSystem#NONE} on the others. Those of calls
 * that take structures or names of files have their numbers on Linux, too, where tests play these systems; the others
 * have {@link PerSystem#NONE} there.
 */
@CConstants(headers = {"sys/types.h", "sys/socket.h", "fcntl.h", "stdio.h"}, on = On.BSD)
public final class BsdConstants {

    public static final int SO_NOSIGPIPE = PerSystem.of(PerSystem.NONE, 0x1022, 0x800, PerSystem.NONE);
    public static final int O_RESOLVE_BENEATH =
            PerSystem.of(PerSystem.NONE, PerSystem.NONE, 0x800000, PerSystem.NONE);
    public static final int F_NOCACHE = PerSystem.of(PerSystem.NONE, 48, PerSystem.NONE, PerSystem.NONE);
    public static final int F_FULLFSYNC = PerSystem.of(PerSystem.NONE, 51, PerSystem.NONE, PerSystem.NONE);
    /** Takes an {@link Fstore}. */
    public static final int F_PREALLOCATE = PerSystem.of(42, 42, PerSystem.NONE, PerSystem.NONE);
    /** Takes a {@link Radvisory}. */
    public static final int F_RDADVISE = PerSystem.of(44, 44, PerSystem.NONE, PerSystem.NONE);
    /** Takes an {@link Fpunchhole}. */
    public static final int F_PUNCHHOLE = PerSystem.of(99, 99, PerSystem.NONE, PerSystem.NONE);
    public static final int F_ALLOCATEALL = PerSystem.of(4, 4, PerSystem.NONE, PerSystem.NONE);
    public static final int F_PEOFPOSMODE = PerSystem.of(3, 3, PerSystem.NONE, PerSystem.NONE);
    public static final int RENAME_SWAP = PerSystem.of(2, 2, PerSystem.NONE, PerSystem.NONE);
    public static final int RENAME_EXCL = PerSystem.of(4, 4, PerSystem.NONE, PerSystem.NONE);
    /** Takes a {@link SpacectlRange}; since FreeBSD 14. */
    public static final int SPACECTL_DEALLOC = PerSystem.of(1, PerSystem.NONE, 1, PerSystem.NONE);

    private BsdConstants() {
    }
}
