package dev.sluice.stages.io;

/** Performs the requests of files. Called by the stage's threads, for each file by one at a time. */
interface FilePerformer {

    /**
     * Performs a request, or begins it. Its end is {@link StagedFile#ended}, which may be called before this returns.
     *
     * @param file    the file, for which no other request is in progress
     * @param request the request
     */
    void perform(StagedFile file, FileRequest request);
}
