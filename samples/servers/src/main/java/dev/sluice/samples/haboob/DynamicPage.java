package dev.sluice.samples.haboob;

import dev.sluice.samples.web.protocol.Request;

/**
 * A page that is made for each request, in a stage of its own threads. This is all that a new one needs: implement it,
 * and add it to the list in {@link HaboobCommand}. Used by several threads at once.
 */
public interface DynamicPage {

    /** {@return where it is, such as {@code /threads}; a file with the same path is hidden by it} */
    String path();

    /**
     * Makes the page. It may take its time, and wait for whatever it likes.
     *
     * @param request what was asked for, with GET or HEAD
     * @return the page, which is refused as long as it does not fit into the memory of the page cache
     * @throws Exception if it cannot be made; the client gets an error, and the cause is logged
     */
    Content make(Request request) throws Exception;

    /**
     * What the client gets.
     *
     * @param type   a media type
     * @param octets the content
     */
    record Content(String type, byte[] octets) {
    }
}
