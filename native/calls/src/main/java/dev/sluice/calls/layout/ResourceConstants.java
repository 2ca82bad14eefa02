package dev.sluice.calls.layout;

/** What {@code setpriority} applies to. */
@CConstants(headers = "sys/resource.h", on = On.LINUX)
public final class ResourceConstants {

    public static final int PRIO_PROCESS = 0;

    private ResourceConstants() {
    }
}
