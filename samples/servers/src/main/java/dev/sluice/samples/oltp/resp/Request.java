package dev.sluice.samples.oltp.resp;

import dev.sluice.samples.lines.HttpLine;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A command and its arguments. Valid until the parser goes on; not thread-safe. */
public final class Request {

    private static final int FIRST_OCTETS = 128;
    private static final int FIRST_ARGUMENTS = 8;

    private byte[] octets = new byte[FIRST_OCTETS];
    private int length;
    /** Where each argument ends in the octets; it begins where the one before it ends. */
    private int[] ends = new int[FIRST_ARGUMENTS];
    private int count;
    /** The argument that counts as the first one. */
    private int first;

    Request() {
    }

    void clear() {
        length = 0;
        count = 0;
        first = 0;
    }

    /** {@return how many octets all arguments have, with the one that is not complete} */
    int length() {
        return length;
    }

    /** {@return whether an inline request is a line of HTTP} */
    boolean isHttp() {
        return HttpLine.isHttp(octets, 0, length);
    }

    /** {@return the number of octets that the argument has that is not complete} */
    int partialLength() {
        return length - start(count - first);
    }

    void append(byte octet) {
        reserve(1);
        octets[length++] = octet;
    }

    void append(ByteBuffer source, int amount) {
        reserve(amount);
        source.get(octets, length, amount);
        length += amount;
    }

    private void reserve(int amount) {
        if (amount > octets.length - length) {
            octets = Arrays.copyOf(octets, Math.max(length + amount, 2 * octets.length));
        }
    }

    void endArgument() {
        if (count == ends.length) {
            ends = Arrays.copyOf(ends, 2 * count);
        }
        ends[count++] = length;
    }

    private int start(int index) {
        int at = first + index;
        return at == 0 ? 0 : ends[at - 1];
    }

    private int end(int index) {
        return ends[first + index];
    }

    /**
     * Forgets the first arguments; the others are counted from 0 again.
     *
     * @param arguments how many, less than there are
     */
    public void skip(int arguments) {
        first += arguments;
    }

    /** {@return the number of arguments, the command's name included; at least 1} */
    public int count() {
        return count - first;
    }

    /**
     * Compares an argument without regard to case.
     *
     * @param index from 0, which is the command's name
     * @param word  capital letters
     * @return whether it is this word
     */
    public boolean is(int index, String word) {
        int start = start(index);
        if (end(index) - start != word.length()) {
            return false;
        }
        for (int i = 0; i < word.length(); i++) {
            int octet = octets[start + i];
            int capital = octet >= 'a' && octet <= 'z' ? octet - 'a' + 'A' : octet;
            if (capital != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns whether an argument is a decimal number of 64 bits; leading zeros are allowed.
     *
     * @param index from 0
     * @return whether {@link #number} may be called
     */
    public boolean isNumber(int index) {
        int at = start(index);
        int end = end(index);
        boolean negative = at < end && octets[at] == '-';
        at += negative ? 1 : 0;
        if (at == end) {
            return false;
        }
        // Summed up below zero, where there is room for one more.
        long value = 0;
        for (; at < end; at++) {
            int digit = octets[at] - '0';
            if (digit < 0 || digit > 9 || value < (Long.MIN_VALUE + digit) / 10) {
                return false;
            }
            value = 10 * value - digit;
        }
        return negative || value != Long.MIN_VALUE;
    }

    /**
     * Reads an argument that {@link #isNumber}.
     *
     * @param index from 0
     * @return the number
     */
    public long number(int index) {
        int at = start(index);
        boolean negative = octets[at] == '-';
        long value = 0;
        for (at += negative ? 1 : 0; at < end(index); at++) {
            value = 10 * value - (octets[at] - '0');
        }
        return negative ? value : -value;
    }

    /**
     * Returns whether an argument is made of printable ASCII characters, the space excepted.
     *
     * @param index   from 0
     * @param longest the most octets
     * @return whether it is, and is neither empty nor longer
     */
    public boolean isWord(int index, int longest) {
        int start = start(index);
        int size = end(index) - start;
        for (int at = start; at < end(index); at++) {
            if (octets[at] <= ' ' || octets[at] == 0x7F) {
                return false;
            }
        }
        return size >= 1 && size <= longest;
    }

    /**
     * Reads an argument as text.
     *
     * @param index from 0
     * @return the text; octets that are not UTF-8 are replaced
     */
    public String text(int index) {
        return new String(octets, start(index), end(index) - start(index), StandardCharsets.UTF_8);
    }

    /**
     * Puts an argument into a reply, as it is.
     *
     * @param index   from 0
     * @param replies the destination of the replies
     */
    public void copyTo(int index, ReplyBuffer replies) {
        replies.bulk(octets, start(index), end(index) - start(index));
    }
}
