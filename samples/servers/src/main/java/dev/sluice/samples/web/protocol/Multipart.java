package dev.sluice.samples.web.protocol;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * Several parts of a file as one content: {@code multipart/byteranges} (RFC 9110 section 14.6). Each part comes behind
 * a delimiter that says which it is; a last delimiter closes them.
 */
final class Multipart {

    private final List<ByteRange> ranges;
    private final String boundary;
    private final String type;
    private final long size;
    private final int[] delimiterEnds;

    /**
     * Creates the content.
     *
     * @param ranges   of the file, two at least
     * @param boundary does not occur in the file
     * @param type     of the file
     * @param size     of the file
     */
    Multipart(List<ByteRange> ranges, String boundary, String type, long size) {
        this.ranges = ranges;
        this.boundary = boundary;
        this.type = type;
        this.size = size;
        this.delimiterEnds = new int[ranges.size() + 1];
    }

    int count() {
        return ranges.size();
    }

    ByteRange range(int part) {
        return ranges.get(part);
    }

    String type() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /** {@return the octets of all parts and delimiters} */
    long length() {
        long length = 0;
        for (int part = 0; part < ranges.size(); part++) {
            ByteRange range = ranges.get(part);
            length += opening(part).length() + contentRange(range).length() + range.length();
        }
        return length + closing().length();
    }

    /** Writes all delimiters behind the fields; each belongs before its part, or behind the last one. */
    ByteBuffer writeDelimiters(ResponseHead head) {
        for (int part = 0; part < ranges.size(); part++) {
            delimiterEnds[part] = head.text(opening(part)).text(contentRange(ranges.get(part))).position();
        }
        delimiterEnds[ranges.size()] = head.text(closing()).position();
        return head.octets();
    }

    /** {@return where the delimiter before a part ends in what has been written; by their count, the closing one} */
    int delimiterEnd(int part) {
        return delimiterEnds[part];
    }

    private String opening(int part) {
        return (part == 0 ? "--" : "\r\n--") + boundary + "\r\nContent-Type: " + type + "\r\n";
    }

    private String contentRange(ByteRange range) {
        long last = range.offset() + range.length() - 1;
        return "Content-Range: bytes " + range.offset() + "-" + last + "/" + size + "\r\n\r\n";
    }

    private String closing() {
        return "\r\n--" + boundary + "--\r\n";
    }
}
