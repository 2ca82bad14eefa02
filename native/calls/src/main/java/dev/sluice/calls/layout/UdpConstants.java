package dev.sluice.calls.layout;

/** Options of UDP sockets, and control data of their messages (udp(7)). */
@CConstants(headers = "netinet/udp.h", on = On.LINUX)
public final class UdpConstants {

    public static final int SOL_UDP = 17;
    /** Since Linux 4.18. */
    public static final int UDP_SEGMENT = 103;
    /** Since Linux 5.0. */
    public static final int UDP_GRO = 104;

    private UdpConstants() {
    }
}
