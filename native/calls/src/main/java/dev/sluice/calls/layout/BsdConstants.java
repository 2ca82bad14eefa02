package dev.sluice.calls.layout;

import dev.sluice.calls.PerSystem;

/**
 * Constants that only some of the systems descended from BSD have; {@link PerSystem#NONE} on the others and on Linux.
 */
@CConstants(headers = {"sys/types.h", "sys/socket.h", "fcntl.h"}, on = On.BSD)
public final class BsdConstants {

    public static final int SO_NOSIGPIPE = PerSystem.of(PerSystem.NONE, 0x1022, 0x800, PerSystem.NONE);
    public static final int O_RESOLVE_BENEATH =
            PerSystem.of(PerSystem.NONE, PerSystem.NONE, 0x800000, PerSystem.NONE);
    public static final int F_NOCACHE = PerSystem.of(PerSystem.NONE, 48, PerSystem.NONE, PerSystem.NONE);
    public static final int F_FULLFSYNC = PerSystem.of(PerSystem.NONE, 51, PerSystem.NONE, PerSystem.NONE);

    private BsdConstants() {
    }
}
