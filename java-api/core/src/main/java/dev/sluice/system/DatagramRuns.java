package dev.sluice.system;

import dev.sluice.calls.Errno;
import dev.sluice.calls.layout.Cmsghdr;
import dev.sluice.calls.layout.Mmsghdr;
import dev.sluice.calls.layout.Msghdr;
import dev.sluice.calls.layout.UdpConstants;
import java.nio.ByteBuffer;

/**
 * Combines datagrams that are to be sent: a run of datagrams of the same length to the same peer, of which the last may
 * be shorter, becomes one message, which the kernel or the network card splits again (UDP_SEGMENT, udp(7)). The bytes
 * are not copied, because a message gathers them.
 *
 * <p>Only an attempt to send shows whether a route supports that. A segment that is longer than the path's MTU, which
 * would be fragmented otherwise, fails with {@code EINVAL}, in newer kernels with {@code EMSGSIZE}; a device that
 * computes no checksums, or a route with encryption, fails with {@code EIO}. Segments of a length that has failed, or
 * longer, are not combined again; after {@code EIO}, none are.
 */
final class DatagramRuns {

    /** UDP_MAX_SEGMENTS of older kernels; newer ones have 128. */
    private static final int MAX_SEGMENTS = 64;
    /** The length of an IP packet of 64 KiB without the UDP header and the longest header of IPv4 and IPv6. */
    private static final int MAX_BYTES = 65_535 - 8 - 60;

    private final DatagramArray datagrams;
    private final ByteBuffer memory;
    private long longestSegment = MAX_BYTES;

    DatagramRuns(DatagramArray datagrams) {
        this.datagrams = datagrams;
        this.memory = datagrams.memory();
    }

    /**
     * Combines datagrams into messages.
     *
     * @param first the index of the first datagram
     * @param count the number of datagrams
     * @return the number of messages, equal to the number of datagrams if none could be combined
     */
    int combine(int first, int count) {
        int messages = 0;
        int end = first + count;
        for (int next = first; next < end; messages++) {
            int length = run(next, end);
            write(messages, next, length);
            next += length;
        }
        return messages;
    }

    private int run(int start, int end) {
        long size = datagrams.sendLength(start);
        int limit = size > longestSegment ? start + 1 : Math.min(end, start + MAX_SEGMENTS);
        long space = MAX_BYTES - size;
        for (int next = start + 1; next < limit; next++) {
            long length = datagrams.sendLength(next);
            space -= length;
            // An empty datagram would disappear at the end of a message, and cannot be the segment size.
            if (length == 0 || length > size || space < 0 || !samePeer(start, next)) {
                return next - start;
            }
            if (length < size) {
                return next - start + 1;
            }
        }
        return limit - start;
    }

    private boolean samePeer(int one, int other) {
        int size = datagrams.addressLength(one);
        if (datagrams.addressLength(other) != size) {
            return false;
        }
        int at = datagrams.addressAt(one);
        int distance = datagrams.addressAt(other) - at;
        // Both sockaddr_in and sockaddr_in6 are made of whole words.
        for (int end = at + size; at < end; at += Integer.BYTES) {
            if (memory.getInt(at) != memory.getInt(at + distance)) {
                return false;
            }
        }
        return true;
    }

    private void write(int index, int first, int length) {
        int message = message(index);
        Msghdr.set(memory, message, datagrams.address(datagrams.addressAt(first)), datagrams.addressLength(first),
                datagrams.address(datagrams.vectorAt(first)), length);
        if (length > 1) {
            int control = datagrams.controlAt(index);
            Cmsghdr.setShort(memory, control, UdpConstants.SOL_UDP, UdpConstants.UDP_SEGMENT,
                    (short) datagrams.sendLength(first));
            Msghdr.control(memory, message, datagrams.address(control), Cmsghdr.SPACE_FOR_SHORT);
        }
    }

    private int message(int index) {
        return datagrams.runMessageAt(index) + Mmsghdr.HDR;
    }

    /** {@return the address of the {@link Mmsghdr}s} */
    long messages() {
        return datagrams.address(datagrams.runMessageAt(0));
    }

    /** {@return the number of datagrams in the given number of messages} */
    int datagrams(int messages) {
        int count = 0;
        for (int i = 0; i < messages; i++) {
            count += Msghdr.iovLength(memory, message(i));
        }
        return count;
    }

    /**
     * {@return whether an error may mean that the first message cannot be segmented, rather than that its first
     * datagram cannot be sent}
     */
    boolean mayBeUnsupported(int error) {
        return datagrams(1) > 1 && (isTooLong(error) || Errno.EIO.is(error) || Errno.EOPNOTSUPP.is(error));
    }

    private static boolean isTooLong(int error) {
        return Errno.EINVAL.is(error) || Errno.EMSGSIZE.is(error);
    }

    /**
     * Records that messages such as the first one cannot be segmented.
     *
     * @param first the index of its first datagram
     * @param error the negated error number of the message
     */
    void excludeLength(int first, int error) {
        longestSegment = isTooLong(error) ? datagrams.sendLength(first) - 1 : 0;
    }
}
