package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.sluice.samples.io.Conversion;
import dev.sluice.samples.io.Message;
import dev.sluice.samples.web.files.FileEntry;
import java.nio.ByteBuffer;

/** The reply to a selector: a menu or an error, an unchanged file, or a text that ends with a lone dot. */
final class GopherReply implements Message {

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final String END = ".\r\n";

    private ByteBuffer content = NOTHING;
    private FileEntry file;
    private TextConversion conversion;
    private boolean ended;
    private long before;

    /** Becomes these octets. */
    void answer(byte[] octets) {
        close();
        content = ByteBuffer.wrap(octets);
        ended = true;
    }

    /** Becomes this file. Takes over a reference to the entry, until the reply is closed. */
    void answer(FileEntry entry, boolean isText) {
        close();
        file = entry;
        conversion = isText ? new TextConversion() : null;
        ended = !isText;
    }

    /** {@return whether the end of the connection marks the end of the reply} */
    boolean endsWithConnection() {
        return file != null && conversion == null;
    }

    @Override
    public ByteBuffer head() {
        return NOTHING;
    }

    @Override
    public ByteBuffer content() {
        return content;
    }

    @Override
    public FileEntry file() {
        return file;
    }

    @Override
    public long offset() {
        return 0;
    }

    @Override
    public long length() {
        return file == null ? content.limit() : file.stamp().size();
    }

    @Override
    public Conversion conversion() {
        return conversion;
    }

    @Override
    public boolean next() {
        if (ended) {
            return false;
        }
        boolean insideLine = conversion.isInsideLine();
        long text = length();
        answer(((insideLine ? "\r\n" : "") + END).getBytes(US_ASCII));
        before = text;
        return true;
    }

    /** Of a text, that of the file, however many octets its line ends have become. */
    @Override
    public long bodySent(long fileSent) {
        return before + content.position() + fileSent;
    }

    @Override
    public void close() {
        content = NOTHING;
        conversion = null;
        ended = true;
        before = 0;
        FileEntry held = file;
        file = null;
        if (held != null) {
            held.release();
        }
    }
}
