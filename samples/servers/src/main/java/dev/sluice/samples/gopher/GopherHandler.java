package dev.sluice.samples.gopher;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.sluice.handle.HandleClosedException;
import dev.sluice.handle.NativeSocketOptions;
import dev.sluice.handle.SocketStream;
import dev.sluice.samples.io.AccessLog;
import dev.sluice.samples.io.ProtocolHandler;
import dev.sluice.samples.web.files.FileEntry;
import dev.sluice.samples.web.files.NoFile;
import dev.sluice.samples.web.files.Resource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryIteratorException;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A Gopher connection: a selector, and its reply. */
final class GopherHandler extends ProtocolHandler {

    private static final Logger LOG = LoggerFactory.getLogger(GopherHandler.class);

    private static final int OK = 200;
    private static final int BAD = 400;
    private static final int ABSENT = 404;
    private static final int LATE = 408;
    private static final int TOO_LONG = 414;
    private static final int UNAVAILABLE = 503;
    private static final int INITIAL_SIZE = 64;

    private final GopherProtocol gopher;
    private final SocketStream peer;
    private final AccessLog.Lines log;
    private final String client;
    private final GopherReply reply;
    private byte[] selector = new byte[INITIAL_SIZE];
    private int length;
    /** The path that another thread is looking up; null if there is none. */
    private String sought;
    /** In the digits of HTTP; 0 if there is no reply. */
    private int status;

    GopherHandler(GopherProtocol gopher, SocketStream peer, AccessLog.Lines log, String client) {
        this(gopher, peer, log, client, new GopherReply());
    }

    private GopherHandler(GopherProtocol gopher, SocketStream peer, AccessLog.Lines log, String client,
                          GopherReply reply) {
        super(gopher.timeouts(), gopher.traffic(), gopher.filters(), reply);
        this.gopher = gopher;
        this.peer = peer;
        this.log = log;
        this.client = client;
        this.reply = reply;
    }

    @Override
    protected void take(ByteBuffer in) {
        boolean begins = length == 0;
        while (in.hasRemaining()) {
            byte octet = in.get();
            if (octet == '\n') {
                length -= length > 0 && selector[length - 1] == '\r' ? 1 : 0;
                answer();
                return;
            }
            if (length > gopher.maxSelector()) {
                refuse(TOO_LONG, "The selector is too long.");
                return;
            }
            if (length == selector.length) {
                selector = Arrays.copyOf(selector, 2 * length);
            }
            selector[length++] = octet;
        }
        if (begins) {
            receive(timeouts().request());
        }
    }

    // The transfer

    @Override
    public String client() {
        return client;
    }

    @Override
    public String requestLine() {
        return new String(selector, 0, length, ISO_8859_1);
    }

    @Override
    public int outcome() {
        return status;
    }

    @Override
    public AccessLog.Lines lines() {
        return log;
    }

    // The selector

    private void answer() {
        String path = Selector.path(selector, length);
        if (length > gopher.maxSelector()) {
            refuse(TOO_LONG, "The selector is too long.");
        } else if (path == null) {
            refuse(BAD, "No file can have this selector.");
        } else if (mayAwaitMessage() && (path.equals("/") || gopher.files().mayWait(path, false))) {
            sought = path;
            awaitMessage();
        } else {
            answer(path);
        }
    }

    private void answer(String path) {
        try {
            find(path);
        } catch (HandleClosedException e) {
            // The client has gone while another thread was looking.
            LOG.debug("{}: {}", path, e.toString());
            refuse(ABSENT, "There is nothing with this selector.");
        } catch (IOException | DirectoryIteratorException e) {
            LOG.warn("{}: {}", path, e.toString());
            refuse(UNAVAILABLE, "This cannot be read at the moment. Please try again later.");
        }
    }

    @Override
    protected void makeElsewhere() {
        gopher.threads().run(() -> {
            try {
                answer(sought);
            } catch (RuntimeException | Error e) {
                LOG.error("{}", sought, e);
                refuse(UNAVAILABLE, "This cannot be read.");
            } finally {
                messageMade();
            }
        });
    }

    @Override
    protected void messageTaken() {
        sought = null;
        startSending();
    }

    private void find(String path) throws IOException {
        Resource found = path.equals("/") ? NoFile.DIRECTORY : gopher.files().lookup(path);
        if (found instanceof FileEntry file) {
            reply.answer(file, ItemType.of(file.type()) == ItemType.TEXT);
            if (reply.endsWithConnection()) {
                // Closing resets the connection from here on, unless all has been sent.
                peer.setOption(NativeSocketOptions.SO_LINGER, 0);
            }
            send(OK);
        } else if (found == NoFile.DIRECTORY) {
            InetSocketAddress here = (InetSocketAddress) peer.localAddress();
            String host = gopher.host() == null ? here.getAddress().getHostAddress() : gopher.host();
            String directory = path.equals("/") ? path : path + "/";
            reply.answer(Menu.of(path, gopher.files().list(directory), gopher.files(), host, here.getPort()));
            send(OK);
        } else {
            refuse(ABSENT, "There is nothing with this selector.");
        }
    }

    private void refuse(int outcome, String message) {
        reply.answer(Menu.error(message));
        send(outcome);
    }

    private void send(int outcome) {
        status = outcome;
        if (sought == null) {
            startSending();
        }
    }

    @Override
    protected void messageSent() throws IOException {
        if (reply.endsWithConnection()) {
            peer.setOption(NativeSocketOptions.SO_LINGER, -1);
        }
        endReply();
        endOutput();
    }

    @Override
    protected boolean refuseLate() {
        if (length == 0) {
            return false;
        }
        refuse(LATE, "The selector took too long to arrive.");
        return true;
    }

    /** A reply that did not get through is logged as far as it went. */
    @Override
    protected void closed() {
        endReply();
    }

    private void endReply() {
        if (status != 0) {
            transferEnded();
        }
        status = 0;
        endMessage();
    }
}
