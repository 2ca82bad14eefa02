package dev.sluice.samples.io;

import dev.sluice.samples.web.files.FileEntry;
import java.io.Closeable;
import java.nio.ByteBuffer;

/**
 * A message to a client, in this order: the {@link #head()}, then the {@link #content()} or a part of a {@link
 * #file()}, never both; and then perhaps, after {@link #next()}, once more. An I/O strategy moves these octets without
 * knowing their meaning. A connection has one, which is reused for each of its messages. Not thread-safe.
 */
public interface Message extends Closeable {

    /** {@return what is left to send of the head; sending advances it} */
    ByteBuffer head();

    /** {@return what is left to send of a content that is not a file's; sending advances it} */
    ByteBuffer content();

    /**
     * {@return the file to send a part of, or null; the connection has to be cut if the file turns out to be shorter
     * meanwhile}
     */
    FileEntry file();

    /** {@return where the part of the file begins} */
    long offset();

    /** {@return the length of the content, or of this part of the file, in octets} */
    long length();

    /** {@return how many octets are in memory behind the content that it is turned to; none by default} */
    default long following() {
        return 0;
    }

    /** {@return what the part of the file goes through on its way; null if it is sent as it is, as it is by default} */
    default Conversion conversion() {
        return null;
    }

    /**
     * {@return memory to read the file into, a piece at a time, for a driver that has none of its own; null if there is
     * none, as by default}
     */
    default CountedMemory memory() {
        return null;
    }

    /**
     * Turns to what comes next, when everything so far has been sent.
     *
     * @return whether there is more to send
     */
    boolean next();

    /**
     * How much of the body has been sent.
     *
     * @param fileSent how many octets of the part of the file that it is turned to
     * @return octets
     */
    long bodySent(long fileSent);

    /** Lets go of the file. The message can be used again. */
    @Override
    void close();
}
