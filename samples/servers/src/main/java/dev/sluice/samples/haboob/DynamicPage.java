package dev.sluice.samples.haboob;

import dev.sluice.samples.web.protocol.Request;

/**
 * A page that is generated for each request, in a stage with threads of its own. To add one, implement this interface,
 * and add it to the list in {@link HaboobCommand}. Used by several threads concurrently.
 */
public interface DynamicPage {

    /** {@return its path, such as {@code /threads}; it hides a file with the same path} */
    String path();

    /**
     * Generates the page. May take long, and may block.
     *
     * @param request what was asked for, with GET or HEAD
     * @return the page, which is refused as long as it does not fit into the memory of the page cache
     * @throws Exception if it cannot be made; the client gets an error, and the cause is logged
     */
    Content make(Request request) throws Exception;

    /**
     * The content of a page.
     *
     * @param type   a media type
     * @param octets the content
     */
    record Content(String type, byte[] octets) {
    }
}
