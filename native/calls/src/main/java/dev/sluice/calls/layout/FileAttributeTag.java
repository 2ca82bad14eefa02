package dev.sluice.calls.layout;

/** What {@code GetFileInformationByHandleEx} returns for {@link Win32Constants#FileAttributeTagInfo}. */
@CStruct(value = "FILE_ATTRIBUTE_TAG_INFO", headers = {"winsock2.h", "windows.h"}, on = On.WINDOWS)
public final class FileAttributeTag {

    public static final int SIZE = 8;
    @CName("FileAttributes")
    public static final int ATTRIBUTES = 0;
    @CName("ReparseTag")
    public static final int REPARSE_TAG = 4;

    private FileAttributeTag() {
    }
}
