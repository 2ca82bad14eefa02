package dev.sluice.samples.gopher;

/** The type of a menu item (RFC 1436 section 3.8); the last three are customary. */
enum ItemType {
    /** Text, which a lone dot ends. */
    TEXT('0'),
    /** A menu. */
    MENU('1'),
    /** Nothing: an error. */
    ERROR('3'),
    /** Octets up to the end of the connection. */
    BINARY('9'),
    /** The same, a picture. */
    GIF('g'),
    /** The same, any other picture. */
    IMAGE('I'),
    /** The same, in HTML. */
    HTML('h'),
    /** The same, to be heard. */
    SOUND('s');

    private final char code;

    ItemType(char code) {
        this.code = code;
    }

    /** {@return the character at the beginning of the line} */
    char code() {
        return code;
    }

    /** {@return that of a file with this media type} */
    static ItemType of(String mediaType) {
        if (mediaType.startsWith("text/html")) {
            return HTML;
        }
        if (mediaType.startsWith("text/")) {
            return TEXT;
        }
        if (mediaType.startsWith("image/")) {
            return mediaType.equals("image/gif") ? GIF : IMAGE;
        }
        return mediaType.startsWith("audio/") ? SOUND : BINARY;
    }
}
