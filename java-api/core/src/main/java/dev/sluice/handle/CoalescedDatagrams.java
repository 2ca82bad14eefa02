package dev.sluice.handle;

import dev.sluice.system.DatagramArray;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Takes apart the datagrams that have arrived joined: all of a message have one length, but the last, which has what is
 * left.
 */
final class CoalescedDatagrams {

    private final DatagramArray messages;
    private ByteBuffer[] views = {};
    private int[] owners = {};
    private int[] offsets = {};
    private int[] lengths = {};
    private int count;

    CoalescedDatagrams(DatagramArray messages) {
        this.messages = messages;
    }

    /** {@return the number of datagrams in the first messages} */
    int split(int received) {
        count = 0;
        for (int message = 0; message < received; message++) {
            int left = messages.length(message);
            int size = messages.segmentSize(message);
            int offset = 0;
            while (size > 0 && left > size) {
                add(message, offset, size);
                offset += size;
                left -= size;
            }
            add(message, offset, left);
        }
        return count;
    }

    private void add(int message, int offset, int length) {
        if (count == views.length) {
            grow();
        }
        owners[count] = message;
        offsets[count] = offset;
        lengths[count++] = length;
    }

    private void grow() {
        int more = Math.max(2 * count, messages.capacity());
        owners = Arrays.copyOf(owners, more);
        offsets = Arrays.copyOf(offsets, more);
        lengths = Arrays.copyOf(lengths, more);
        views = Arrays.copyOf(views, more);
        for (int i = count; i < more; i++) {
            views[i] = messages.views();
        }
    }

    /** {@return the message that a datagram has come in} */
    int message(int index) {
        return owners[index];
    }

    /** {@return how long a datagram was} */
    int length(int index) {
        return lengths[index];
    }

    /** {@return what has been received of a datagram, from position to limit} */
    ByteBuffer datagram(int index) {
        int start = owners[index] * messages.room();
        int from = Math.min(offsets[index], messages.room());
        int to = Math.min(offsets[index] + lengths[index], messages.room());
        return views[index].limit(start + to).position(start + from);
    }
}
