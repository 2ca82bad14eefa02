package dev.sluice.system;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.sluice.calls.Bindings;
import dev.sluice.calls.Memory;
import dev.sluice.calls.MemoryBlock;
import dev.sluice.calls.Platform;
import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.SocketConstants;
import dev.sluice.calls.layout.UdpConstants;
import dev.sluice.campaign.FuzzTarget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Control data as a system may fill them in. The input is the length that the call reports, in one octet, and then
 * everything that was written; bytes behind must have no effect.
 */
public final class ControlData implements FuzzTarget {

    private static final int AT = 8;
    /** Placed behind the end, and found if a search goes too far. */
    private static final byte[] STRANGER = counter(12345);

    private static byte[] counter(int value) {
        return ByteBuffer.allocate(Cmsghdr.SPACE_FOR_INT).order(ByteOrder.nativeOrder())
                .putLong(Cmsghdr.LEN, Cmsghdr.DATA + Integer.BYTES)
                .putInt(Cmsghdr.LEVEL, SocketConstants.SOL_SOCKET)
                .putInt(Cmsghdr.TYPE, SocketConstants.SO_RXQ_OVFL)
                .putInt(Cmsghdr.DATA, value).array();
    }

    @Override
    public void check(byte[] input) {
        if (input.length == 0) {
            return;
        }
        int claimed = input[0];
        byte[] octets = Arrays.copyOfRange(input, 1, input.length);
        int length = Math.max(0, Math.min(claimed, octets.length));
        ByteBuffer memory = ByteBuffer.allocate(AT + octets.length + STRANGER.length).order(ByteOrder.nativeOrder());
        memory.put(AT, octets).put(AT + octets.length, STRANGER);
        int expected = expected(Arrays.copyOf(octets, length), SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL);
        assertEquals(expected < 0 ? -1 : AT + expected, Cmsghdr.findInt(memory, AT, Math.min(claimed, octets.length),
                SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL));
        if (Bindings.current().os() == Platform.Os.LINUX) {
            array(claimed, Arrays.copyOf(octets, DatagramArray.CONTROL_SIZE));
        }
    }

    /** Returns the position of such a number, -1 if there is none. */
    private static int expected(byte[] octets, int wantedLevel, int wantedType) {
        ByteBuffer left = ByteBuffer.wrap(octets).order(ByteOrder.nativeOrder());
        while (left.remaining() >= Cmsghdr.SIZE) {
            int at = left.position();
            long size = left.getLong();
            int level = left.getInt();
            int type = left.getInt();
            long data = size - Cmsghdr.SIZE;
            if (data < 0 || data > left.remaining()) {
                return -1;
            }
            if (level == wantedLevel && type == wantedType && data >= 4) {
                return at;
            }
            long padded = data % 8 == 0 ? data : data + 8 - data % 8;
            if (padded > left.remaining()) {
                return -1;
            }
            left.position(left.position() + (int) padded);
        }
        return -1;
    }

    private static void array(int claimed, byte[] octets) {
        Memory memory = Bindings.current().memory();
        try (DatagramArray datagrams = DatagramArray.toReceive(memory, 1, 8, true);
             MemoryBlock message = memory.wrap(datagrams.messages(), Mmsghdr.SIZE, () -> { });
             MemoryBlock control = memory.wrap(
                     message.buffer().getLong(Mmsghdr.HDR + Msghdr.CONTROL), octets.length, () -> { })) {
            control.buffer().put(0, octets);
            message.buffer().putLong(Mmsghdr.HDR + Msghdr.CONTROLLEN, claimed);
            message.buffer().putInt(Mmsghdr.LEN, 3);
            datagrams.takeMessages(1);
            byte[] valid = Arrays.copyOf(octets, Math.max(0, Math.min(claimed, octets.length)));
            int counter = expected(valid, SocketConstants.SOL_SOCKET, SocketConstants.SO_RXQ_OVFL);
            assertEquals(counter < 0 ? 0 : Math.max(0, control.buffer().getInt(counter + Cmsghdr.DATA)),
                    datagrams.dropped());
            int size = expected(valid, UdpConstants.SOL_UDP, UdpConstants.UDP_GRO);
            assertEquals(size < 0 ? 0 : Math.max(0, control.buffer().getInt(size + Cmsghdr.DATA)),
                    datagrams.segmentSize(0));
        }
    }
}
