package dev.sluice.calls.layout;

/** The targets of {@code setpriority}. */
@CConstants(headers = "sys/resource.h", on = On.LINUX)
public final class ResourceConstants {

    public static final int PRIO_PROCESS = 0;

    private ResourceConstants() {
    }
}
